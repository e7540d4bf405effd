#include "daemon/processes/workers/workers.h"

#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Waits until the socket is readable or writable, and gives signs of life meanwhile. */
static enum packet_result wait_for_socket(const struct worker *worker, short events)
{
    struct pollfd wanted = {.fd = worker->socket, .events = events};
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        life_give_sign(worker->metrics, LIFE_WAITS);
        ready = poll(&wanted, 1, LIFE_EVERY_MS);
    }
    life_give_sign(worker->metrics, LIFE_WORKS);
    return ready > 0 ? PACKET_OK : PACKET_BAD;
}

/* Sends a message, and waits until the socket has room for it. Takes over the reference. */
static enum packet_result send_message(const struct worker *worker, json_t *message)
{
    char *json = must_format_json(message);
    enum packet_result result = packet_send(worker->socket, json, strlen(json), -1);
    while (result == PACKET_AGAIN) {
        result = wait_for_socket(worker, POLLOUT);
        if (result == PACKET_OK) {
            result = packet_send(worker->socket, json, strlen(json), -1);
        }
    }
    free(json);
    return result;
}

static enum packet_result send_hello(const struct worker *worker)
{
    return send_message(worker,
                        json_pack("{s:s, s:i, s:s}", "t", "hello", "protocol", PROTOCOL_NUMBER,
                                  "software", "trickhouse " TRICKHOUSE_VERSION));
}

static enum packet_result handle_pushed_message(const struct worker *worker, const json_t *message)
{
    const char *type = json_read_type(message);
    if (type[0] == '\0') {
        return PACKET_BAD;
    }
    if (strcmp(type, "resync") == 0) {
        return send_hello(worker);
    }
    for (const struct worker_push *push = worker->pushes; push->type != NULL; push++) {
        json_t *answer =
            strcmp(push->type, type) == 0 ? push->take(worker->context, message) : NULL;
        if (answer != NULL) {
            return send_message(worker, answer);
        }
    }
    return PACKET_OK;
}

/* Handles one packet from the core, overwrites the packet, and sends the answer. */
static enum packet_result handle_packet(const struct worker *worker, char *bytes, size_t len)
{
    json_t *message = json_read_object(bytes, len);
    sodium_memzero(bytes, len); /* the packet may have held a password or a key */
    enum packet_result result = handle_pushed_message(worker, message);
    json_decref(message);
    return result;
}

/* Does a piece of the work that was put off, or waits for a message if there is none. */
static enum packet_result work_or_wait(const struct worker *worker)
{
    json_t *answer = worker->work == NULL ? NULL : worker->work(worker->context);
    if (answer != NULL) {
        return send_message(worker, answer);
    }
    if (worker->wait == NULL) {
        return wait_for_socket(worker, POLLIN);
    }
    life_give_sign(worker->metrics, LIFE_WAITS);
    worker->wait(worker->context);
    return PACKET_OK;
}

int worker_run(const struct worker *worker)
{
    char buffer[PACKET_MAX];
    enum packet_result result = send_hello(worker);
    while (result == PACKET_OK) {
        size_t len;
        life_give_sign(worker->metrics, LIFE_WORKS);
        result = packet_receive(worker->socket, buffer, &len, NULL);
        if (result == PACKET_OK) {
            result = handle_packet(worker, buffer, len);
        } else if (result == PACKET_AGAIN) {
            result = work_or_wait(worker);
        }
    }
    if (result == PACKET_CLOSED) {
        return 0;
    }
    log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed message");
    return 1;
}
