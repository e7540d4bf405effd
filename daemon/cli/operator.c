#include "daemon/cli/operator.h"

#include "daemon/base/packet.h"
#include "daemon/processes/control_socket.h"
#include "daemon/session/client.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define ANSWER_MS 600000 /* a backup of much data takes a while */

struct operator
{
    int socket;
    bool has_failed;
    bool is_ok;
    json_t *answer;
};

static void send_packet(void *context, const char *json, size_t len)
{
    struct operator* operator= context;
    if (packet_send(operator->socket, json, len, -1) != PACKET_OK) {
        operator->has_failed = true;
    }
}

static void take_answer(void *context, bool is_ok, const json_t *answer)
{
    struct operator* operator= context;
    operator->is_ok = is_ok;
    operator->answer = json_deep_copy(answer);
}

/* Reads until the answer is there; false with errno when none will come. */
static bool await_answer(struct operator* operator, struct client * client)
{
    char *buffer = malloc(PACKET_MAX);
    if (buffer == NULL) {
        return false;
    }
    while (operator->answer == NULL && !operator->has_failed) {
        struct pollfd readable = {.fd = operator->socket, .events = POLLIN};
        size_t len;
        errno = ETIMEDOUT;
        if (poll(&readable, 1, ANSWER_MS) <= 0) {
            operator->has_failed = errno != EINTR;
            continue;
        }
        enum packet_result result = packet_receive(operator->socket, buffer, &len, NULL);
        errno = ECONNRESET;
        operator->has_failed = result != PACKET_AGAIN &&(
            result != PACKET_OK || client_receive(client, buffer, len) != CLIENT_OK);
    }
    free(buffer);
    return operator->answer != NULL;
}

enum operator_result operator_ask(const char *data_dir, const char *type, json_t *fields,
                                  json_t **answer)
{
    struct operator operator= {.socket = control_socket_connect(data_dir)};
    *answer = NULL;
    if (operator.socket<0) {
        json_decref(fields);
        return errno == ENOENT || errno == ECONNREFUSED ? OPERATOR_CLOSED : OPERATOR_FAILED;
    }
    enum operator_result result = OPERATOR_FAILED;
    struct client *client = client_new(send_packet, &operator);
    client_hello(client, "trickhouse");
    if (client_request(client, type, fields, take_answer, &operator) &&
        await_answer(&operator, client)) {
        result = operator.is_ok ? OPERATOR_OK : OPERATOR_REFUSED;
        *answer = operator.answer;
    }
    int error = errno;
    client_free(client);
    close(operator.socket);
    errno = error;
    return result;
}
