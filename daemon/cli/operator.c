#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"
#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MS 600000 /* ten minutes, because the backup of a large database takes a while */
#define OUTLAST_MS                                                                                 \
    30000 /* core and supervisor check one after the other whether they can reload                 \
           */
/* If the core says nothing for this long, we ping it, and wait as long again for its answer. */
#define SILENCE_MS 2500

#define WAITS_MS                                                                                   \
    5000 /* how long a reloaded house may wait for its data before the reload says so */

struct connection {
    int socket;
    struct client *client;
    char *buffer;
    bool has_failed; /* sending failed: see errno */
    bool is_ok;
    json_t *answer;
    char version[OPERATOR_VERSION_MAX]; /* version of the core; "" before the core has sent
                                           `welcome` */
    char waits[OPERATOR_SAID_MAX];      /* why the house waits, from `welcome`; "": it is open */
    char refused[OPERATOR_SAID_MAX];    /* why a reload was refused; "" if it was not refused */
};

static void send_packet(void *context, const char *json, size_t len)
{
    struct connection *connection = context;
    if (packet_send(connection->socket, json, len, -1) != PACKET_OK) {
        connection->has_failed = true;
    }
}

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct connection *connection = context;
    connection->is_ok = is_ok;
    connection->answer = json_deep_copy(answer);
}

/* Stores the version and what the house waits for from a `welcome`, or the reason from a
 * `reload_refused`. */
static void store_version_or_refusal(void *context, const char *type, const json_t *message)
{
    struct connection *connection = context;
    if (strcmp(type, "welcome") == 0) {
        connection->waits[0] = '\0';
    }
    const struct {
        const char *type, *key;
        char *kept;
        size_t size;
    } pushes[] = {
        {"welcome", "version", connection->version, sizeof connection->version},
        {"welcome", "waits", connection->waits, sizeof connection->waits},
        {"reload_refused", "why", connection->refused, sizeof connection->refused},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        const char *text = json_string_value(json_object_get(message, pushes[i].key));
        if (strcmp(pushes[i].type, type) == 0 && text != NULL) {
            (void)snprintf(pushes[i].kept, pushes[i].size, "%s", text);
        }
    }
}

/* Connects to the core. Returns OPERATOR_OK, _CLOSED or _FAILED; call close_connection in any
 * case. */
static enum operator_result open_connection(struct connection *connection, const char *data_dir)
{
    *connection = (struct connection){.socket = control_socket_connect(data_dir)};
    if (connection->socket < 0) {
        return errno == ENOENT || errno == ECONNREFUSED ? OPERATOR_CLOSED : OPERATOR_FAILED;
    }
    connection->buffer = malloc(PACKET_MAX);
    if (connection->buffer == NULL) {
        return OPERATOR_FAILED;
    }
    connection->client = client_new(send_packet, connection);
    client_set_push_receiver(connection->client, store_version_or_refusal, connection);
    client_send_hello(connection->client, "trickhouse");
    return OPERATOR_OK;
}

static void close_connection(struct connection *connection)
{
    client_free(connection->client);
    free(connection->buffer);
    json_decref(connection->answer);
    fd_close(connection->socket);
}

/* Receives the next packet, if one arrives before the deadline. Returns false with errno if none
 * arrives. */
static bool receive_packet(struct connection *connection, int64_t deadline_ms)
{
    struct pollfd readable = {.fd = connection->socket, .events = POLLIN};
    int64_t left_ms = deadline_ms - clock_steady_ms();
    errno = ETIMEDOUT;
    if (connection->has_failed || left_ms <= 0 || poll(&readable, 1, (int)left_ms) == 0) {
        return false;
    }
    size_t len;
    switch (packet_receive(connection->socket, connection->buffer, &len, NULL)) {
    case PACKET_OK:
        errno = EPROTO;
        return client_receive_packet(connection->client, connection->buffer, len) == CLIENT_OK;
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
    (void)context; /* the content of the answer does not matter */
}

/* Receives the next packet like receive_packet. If the core stays silent, sends a ping; fails if
 * the core does not answer that either. */
static bool receive_packet_pinging_silent_core(struct connection *connection, int64_t deadline_ms)
{
    int64_t silence_ms = clock_steady_ms() + SILENCE_MS;
    if (receive_packet(connection, silence_ms < deadline_ms ? silence_ms : deadline_ms)) {
        return true;
    }
    if (errno != ETIMEDOUT || clock_steady_ms() >= deadline_ms ||
        !client_send_request(connection->client, "ping", NULL, ignore_pong, connection)) {
        return false;
    }
    return receive_packet(connection, clock_steady_ms() + SILENCE_MS);
}

static enum operator_result send_command_and_await_answer(struct connection *connection,
                                                          const char *command)
{
    int64_t deadline_ms = clock_steady_ms() + ANSWER_MS;
    if (!client_send_request(connection->client, "mod", json_pack("{s:s}", "line", command),
                             store_answer, connection)) {
        return OPERATOR_FAILED;
    }
    while (connection->answer == NULL) {
        if (!receive_packet_pinging_silent_core(connection, deadline_ms)) {
            return OPERATOR_FAILED;
        }
    }
    return connection->is_ok ? OPERATOR_OK : OPERATOR_REFUSED;
}

enum operator_result operator_run_command(const char *data_dir, const char *command,
                                          json_t **answer)
{
    struct connection connection;
    *answer = NULL;
    enum operator_result result = open_connection(&connection, data_dir);
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        *answer = json_incref(connection.answer);
    }
    close_connection(&connection);
    return result;
}

/* Waits until the deadline for a core's `welcome`, and writes the core's version. If the core says
 * that the house waits, waits for `patience_ms` until it is open; then writes the reason and
 * returns OPERATOR_WAITS. */
static enum operator_result await_welcome(const char *data_dir, int64_t deadline_ms,
                                          int64_t patience_ms,
                                          char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    enum operator_result result = open_connection(&connection, data_dir);
    int64_t until_ms = deadline_ms;
    while (result == OPERATOR_OK &&
           (connection.version[0] == '\0' || connection.waits[0] != '\0')) {
        bool was_waiting = connection.waits[0] != '\0';
        if (!receive_packet(&connection, until_ms)) {
            result = was_waiting ? OPERATOR_WAITS : OPERATOR_FAILED;
        } else if (!was_waiting && connection.waits[0] != '\0') {
            until_ms = clock_steady_ms() + patience_ms;
        }
    }
    (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s",
                   result == OPERATOR_WAITS ? connection.waits : connection.version);
    close_connection(&connection);
    return result;
}

enum operator_result operator_check_core_answers(const char *data_dir,
                                                 char version_or_reason[OPERATOR_SAID_MAX])
{
    return await_welcome(data_dir, clock_steady_ms() + SILENCE_MS, 0, version_or_reason);
}

const char *operator_explain_failure(void)
{
    return errno == ETIMEDOUT || errno == EAGAIN
               ? _("the house is open, but its core does not answer")
           : errno == ECONNRESET ? _("the connection to the house was lost before it has answered: "
                                     "a command may have been carried out, see \"audit\"")
                                 : strerror(errno);
}

/* Waits until the core ends, but no longer once the core has refused to be replaced. */
static enum operator_result await_core_end(struct connection *connection, int64_t deadline_ms)
{
    while (connection->refused[0] == '\0' && receive_packet(connection, deadline_ms)) {
    }
    if (connection->refused[0] != '\0') {
        return OPERATOR_REFUSED;
    }
    return errno == ECONNRESET  ? OPERATOR_OK
           : errno == ETIMEDOUT ? OPERATOR_STAYED
                                : OPERATOR_FAILED;
}

enum operator_result operator_replace_core(const char *data_dir, const char *command,
                                           char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    int64_t deadline_ms = clock_steady_ms() + OUTLAST_MS;
    enum operator_result result = open_connection(&connection, data_dir);
    version_or_reason[0] = '\0';
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        const char *why = json_string_value(json_object_get(connection.answer, "why"));
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", why == NULL ? "" : why);
    }
    if (result == OPERATOR_OK) {
        result = await_core_end(&connection, deadline_ms);
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", connection.refused);
    }
    close_connection(&connection);
    return result == OPERATOR_OK ? await_welcome(data_dir, deadline_ms, WAITS_MS, version_or_reason)
                                 : result;
}
