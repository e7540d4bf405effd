#include "daemon/session/session_state.h"

#include "lobby/protocol/protocol.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    PACKETS_PER_PASS = 64
};

/* Sends a packet if the socket has room. Returns false if the socket is full; true if the packet
 * was sent, or if the link is broken. */
static bool try_to_send_packet(struct core_link *link, const char *bytes, size_t len)
{
    switch (packet_send(link->socket, bytes, len, -1)) {
    case PACKET_OK:
        return true;
    case PACKET_AGAIN:
        return false;
    case PACKET_CLOSED:
    case PACKET_BAD:
        break;
    }
    link->is_broken = true;
    return true;
}

void core_link_send(struct core_link *link, const char *packet, size_t len)
{
    if (link->is_broken ||
        (STAILQ_EMPTY(&link->waiting) && try_to_send_packet(link, packet, len))) {
        return;
    }
    if (link->queued == CORE_LINK_QUEUE_MAX) {
        link->is_broken = true;
        return;
    }
    struct core_link_packet *waiting = must_not_be_null(malloc(sizeof(*waiting) + len));
    waiting->len = len;
    memcpy(waiting->bytes, packet, len);
    STAILQ_INSERT_TAIL(&link->waiting, waiting, in_queue);
    link->queued++;
}

static void send_packet(void *context, const char *json, size_t len)
{
    core_link_send(context, json, len);
}

struct core_link *core_link_new(int socket)
{
    struct core_link *link = must_allocate(sizeof(*link));
    link->buffer = must_not_be_null(malloc(PACKET_MAX));
    link->socket = socket;
    link->client = client_new(send_packet, link);
    STAILQ_INIT(&link->waiting);
    return link;
}

short core_link_get_poll_events(const struct core_link *link)
{
    return STAILQ_EMPTY(&link->waiting) ? POLLIN : POLLIN | POLLOUT;
}

static void send_waiting_packets(struct core_link *link)
{
    struct core_link_packet *first;
    while ((first = STAILQ_FIRST(&link->waiting)) != NULL &&
           try_to_send_packet(link, first->bytes, first->len)) {
        STAILQ_REMOVE_HEAD(&link->waiting, in_queue);
        link->queued--;
        explicit_bzero(first->bytes, first->len); /* it may contain a password */
        free(first);
    }
}

/* Receives one packet. Returns false if no packet was waiting, or if no more should be read. */
static bool receive_packet(struct core_link *link)
{
    size_t len = 0;
    enum packet_result result = packet_receive(link->socket, link->buffer, &len, NULL);
    if (result == PACKET_OK && link->take != NULL) {
        return link->take(link->take_context, link->buffer, len);
    }
    if (result == PACKET_OK) {
        if (client_receive_packet(link->client, link->buffer, len) == CLIENT_OK) {
            return true;
        }
        link->is_broken = true;
    } else if (result != PACKET_AGAIN) {
        link->is_broken = true;
    }
    return false;
}

bool core_link_exchange_packets(struct core_link *link)
{
    send_waiting_packets(link);
    for (int i = 0; i < PACKETS_PER_PASS && !link->is_broken && receive_packet(link); i++) {
    }
    return !link->is_broken;
}

enum core_link_wait core_link_wait(struct core_link *link, const bool *is_done, int peer_fd,
                                   int stop_fd, int64_t deadline_ms)
{
    for (;;) {
        send_waiting_packets(link);
        while (!*is_done && !link->is_broken && receive_packet(link)) {
        }
        if (*is_done) {
            return CORE_LINK_DONE;
        }
        if (link->is_broken) {
            return CORE_LINK_BROKEN;
        }
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (left_ms <= 0) {
            return CORE_LINK_LATE;
        }
        struct pollfd fds[] = {
            {.fd = link->socket, .events = core_link_get_poll_events(link)},
            {.fd = peer_fd, .events = POLLRDHUP},
            {.fd = stop_fd, .events = POLLIN},
        };
        if (poll(fds, ARRAY_LEN(fds), (int)left_ms) > 0 &&
            (fds[1].revents != 0 || fds[2].revents != 0)) {
            return CORE_LINK_HUNGUP;
        }
    }
}
