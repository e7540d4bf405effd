#include "daemon/processes/workers/worker.h"

#include "daemon/base/log.h"
#include "daemon/base/must.h"
#include "lobby/protocol/json_read.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_MAX 32

static enum packet_result wait_for(int socket, short events)
{
    struct pollfd wanted = {.fd = socket, .events = events};
    while (poll(&wanted, 1, -1) < 0) {
        if (errno != EINTR) {
            return PACKET_BAD;
        }
    }
    return PACKET_OK;
}

enum packet_result worker_send(int socket, json_t *message)
{
    char *json = must_text(message);
    enum packet_result result = packet_send(socket, json, strlen(json), -1);
    while (result == PACKET_AGAIN) {
        result = wait_for(socket, POLLOUT);
        if (result == PACKET_OK) {
            result = packet_send(socket, json, strlen(json), -1);
        }
    }
    free(json);
    return result;
}

enum packet_result worker_send_hello(int socket)
{
    return worker_send(socket, json_pack("{s:s, s:i, s:s}", "t", "hello", "protocol", 1, "software",
                                         "trickhouse " TRICKHOUSE_VERSION));
}

static enum packet_result take_message(int socket, const char *bytes, size_t len,
                                       worker_answer *answer, void *context)
{
    json_t *message = json_read_object(bytes, len);
    const char *type = json_read_text(message, "t", TYPE_MAX);
    if (type == NULL) {
        json_decref(message);
        return PACKET_BAD;
    }
    enum packet_result result = PACKET_OK;
    if (strcmp(type, "resync") == 0) {
        result = worker_send_hello(socket);
    } else {
        json_t *answered = answer(context, type, message);
        if (answered != NULL) {
            result = worker_send(socket, answered);
        }
    }
    json_decref(message);
    return result;
}

int worker_run(int socket, worker_answer *answer, void *context)
{
    char buffer[PACKET_MAX];
    enum packet_result result = worker_send_hello(socket);
    while (result == PACKET_OK) {
        size_t len;
        result = packet_receive(socket, buffer, &len, NULL);
        if (result == PACKET_OK) {
            result = take_message(socket, buffer, len, answer, context);
            sodium_memzero(buffer, len); /* it may have held a password */
        } else if (result == PACKET_AGAIN) {
            result = wait_for(socket, POLLIN);
        }
    }
    if (result == PACKET_CLOSED) {
        return 0;
    }
    log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed message");
    return 1;
}
