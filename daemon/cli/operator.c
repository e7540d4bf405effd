#include "daemon/cli/operator.h"

#include "daemon/base/clock.h"
#include "daemon/base/fd.h"
#include "daemon/base/i18n.h"
#include "daemon/base/packet.h"
#include "daemon/processes/control_socket.h"
#include "lobby/protocol/client.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MS 600000 /* the backup of a large database takes a while */
#define OUTLAST_MS 10000
/* If the core says nothing for this long, we ping it, and wait as long again for its answer. */
#define SILENCE_MS 3000

struct operator
{
    int socket;
    struct client *client;
    char *buffer;
    bool has_failed; /* sending failed: see errno */
    bool is_ok;
    json_t *answer;
    char version[OPERATOR_VERSION_MAX]; /* version of the core; "" before its welcome */
    char refused[OPERATOR_SAID_MAX];    /* why a reload was refused; "" if it was not refused */
};

static void send_packet(void *context, const char *json, size_t len)
{
    struct operator* operator= context;
    if (packet_send(operator->socket, json, len, -1) != PACKET_OK) {
        operator->has_failed = true;
    }
}

static void keep_answer(void *context, bool is_ok, const json_t *answer)
{
    struct operator* operator= context;
    operator->is_ok = is_ok;
    operator->answer = json_deep_copy(answer);
}

/* Keeps one text from each of two pushes. */
static void keep_pushed_text(void *context, const char *type, const json_t *message)
{
    struct operator* operator= context;
    const struct {
        const char *type, *key;
        char *kept;
        size_t size;
    } pushes[] = {{"welcome", "version", operator->version, sizeof operator->version },
                   {
                       "reload_refused",
                       "why",
                       operator->refused,
                       sizeof operator->refused },
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        const char *text = json_string_value(json_object_get(message, pushes[i].key));
        if (strcmp(pushes[i].type, type) == 0 && text != NULL) {
            (void)snprintf(pushes[i].kept, pushes[i].size, "%s", text);
        }
    }
}

/* Connects to the core. Returns OPERATOR_OK, _CLOSED or _FAILED; call close_operator in any
 * case. */
static enum operator_result connect_operator(struct operator* operator, const char * data_dir)
{
    *operator=(struct operator){.socket = control_socket_connect(data_dir)};
    if (operator->socket<0) {
        return errno == ENOENT || errno == ECONNREFUSED ? OPERATOR_CLOSED : OPERATOR_FAILED;
    }
    operator->buffer = malloc(PACKET_MAX);
    if (operator->buffer == NULL) {
        return OPERATOR_FAILED;
    }
    operator->client = client_new(send_packet, operator);
    client_set_push(operator->client, keep_pushed_text, operator);
    client_use_oldest_protocol(
        operator->client); /* before a reload the house may run the previous version */
    client_send_hello(operator->client, "trickhouse");
    return OPERATOR_OK;
}

static void close_operator(struct operator* operator)
{
    client_free(operator->client);
    free(operator->buffer);
    json_decref(operator->answer);
    fd_close(operator->socket);
}

/* Receives the next packet, if one arrives before the deadline. Returns false with errno if none
 * will. */
static bool receive_packet(struct operator* operator, int64_t deadline_ms)
{
    struct pollfd readable = {.fd = operator->socket, .events = POLLIN};
    int64_t left_ms = deadline_ms - clock_steady_ms();
    errno = ETIMEDOUT;
    if (operator->has_failed || left_ms <= 0 || poll(&readable, 1, (int)left_ms) == 0) {
        return false;
    }
    size_t len;
    switch (packet_receive(operator->socket, operator->buffer, &len, NULL)) {
    case PACKET_OK:
        errno = EPROTO;
        return client_receive(operator->client, operator->buffer, len) == CLIENT_OK;
    case PACKET_AGAIN:
        return true;
    case PACKET_CLOSED:
    case PACKET_BAD:
        break;
    }
    errno = ECONNRESET;
    return false;
}

static void ignore_pong(void *context, UNUSED bool is_ok, UNUSED const json_t *answer)
{
    (void)context; /* the answer itself does not matter */
}

/* Receives the next packet like receive_packet, but pings a silent core, so as not to wait for one
 * that hangs. */
static bool receive_packet_or_ping(struct operator* operator, int64_t deadline_ms)
{
    int64_t silence_ms = clock_steady_ms() + SILENCE_MS;
    if (receive_packet(operator, silence_ms<deadline_ms ? silence_ms : deadline_ms)) {
        return true;
    }
    if (errno != ETIMEDOUT || clock_steady_ms() >= deadline_ms ||
        !client_send_request(operator->client, "ping", NULL, ignore_pong, operator)) {
        return false;
    }
    return receive_packet(operator, clock_steady_ms() + SILENCE_MS);
}

static enum operator_result ask_core(struct operator* operator, const char * line)
{
    int64_t deadline_ms = clock_steady_ms() + ANSWER_MS;
    if (!client_send_request(operator->client, "mod", json_pack("{s:s}", "line", line),
                             keep_answer, operator)) {
        return OPERATOR_FAILED;
    }
    while (operator->answer == NULL) {
        if (!receive_packet_or_ping(operator, deadline_ms)) {
            return OPERATOR_FAILED;
        }
    }
    return operator->is_ok ? OPERATOR_OK : OPERATOR_REFUSED;
}

enum operator_result operator_send_line(const char *data_dir, const char *line, json_t **answer)
{
    struct operator operator;
    *answer = NULL;
    enum operator_result result = connect_operator(&operator, data_dir);
    if (result == OPERATOR_OK) {
        result = ask_core(&operator, line);
        *answer = json_incref(operator.answer);
    }
    close_operator(&operator);
    return result;
}

/* Waits until the deadline for a core, and writes its version. */
static enum operator_result await_welcome(const char *data_dir, int64_t deadline_ms,
                                          char version[OPERATOR_SAID_MAX])
{
    struct operator operator;
    enum operator_result result = connect_operator(&operator, data_dir);
    while (result == OPERATOR_OK && operator.version[0] == '\0') {
        if (!receive_packet(&operator, deadline_ms)) {
            result = OPERATOR_FAILED;
        }
    }
    (void)snprintf(version, OPERATOR_SAID_MAX, "%s", operator.version);
    close_operator(&operator);
    return result;
}

enum operator_result operator_check_core(const char *data_dir)
{
    char version[OPERATOR_SAID_MAX];
    return await_welcome(data_dir, clock_steady_ms() + SILENCE_MS, version);
}

const char *operator_explain_failure(void)
{
    return errno == ETIMEDOUT || errno == EAGAIN
               ? _("the house is open, but its core does not answer")
               : strerror(errno);
}

/* Waits until the core ends, or refuses to be replaced. */
static enum operator_result await_core_end(struct operator* operator, int64_t deadline_ms)
{
    while (operator->refused[0] == '\0' && receive_packet(operator, deadline_ms)) {
    }
    if (operator->refused[0] != '\0') {
        return OPERATOR_REFUSED;
    }
    return errno == ECONNRESET  ? OPERATOR_OK
           : errno == ETIMEDOUT ? OPERATOR_STAYED
                                : OPERATOR_FAILED;
}

enum operator_result operator_replace_core(const char *data_dir, const char *line,
                                           char said[OPERATOR_SAID_MAX])
{
    struct operator operator;
    int64_t deadline_ms = clock_steady_ms() + OUTLAST_MS;
    enum operator_result result = connect_operator(&operator, data_dir);
    said[0] = '\0';
    if (result == OPERATOR_OK) {
        result = ask_core(&operator, line);
        const char *why = json_string_value(json_object_get(operator.answer, "why"));
        (void)snprintf(said, OPERATOR_SAID_MAX, "%s", why == NULL ? "" : why);
    }
    if (result == OPERATOR_OK) {
        result = await_core_end(&operator, deadline_ms);
        (void)snprintf(said, OPERATOR_SAID_MAX, "%s", operator.refused);
    }
    close_operator(&operator);
    return result == OPERATOR_OK ? await_welcome(data_dir, deadline_ms, said) : result;
}
