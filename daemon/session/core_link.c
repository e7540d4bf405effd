#include "daemon/session/session_state.h"

#include "lobby/protocol/protocol.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    PACKETS_PER_PASS = 64
};

struct waiting {
    struct waiting *next;
    size_t len;
    char bytes[];
};

struct core_link {
    int socket;
    bool is_broken;
    struct client *client;
    core_link_taker *take; /* function that receives the packets in place of `client`; NULL:
                              `client` receives them */
    void *take_context;
    char *buffer; /* a buffer of PACKET_MAX bytes; on the heap, where pages that are not touched use
                     no memory */
    size_t queued;
    struct waiting *first, *last;
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
    if (link->is_broken || (link->first == NULL && try_to_send_packet(link, packet, len))) {
        return;
    }
    if (link->queued == CORE_LINK_QUEUE_MAX) {
        link->is_broken = true;
        return;
    }
    struct waiting *waiting = must_not_be_null(malloc(sizeof(*waiting) + len));
    waiting->next = NULL;
    waiting->len = len;
    memcpy(waiting->bytes, packet, len);
    if (link->first == NULL) {
        link->first = waiting;
    } else {
        link->last->next = waiting;
    }
    link->last = waiting;
    link->queued++;
}

static void send_packet(void *context, const char *json, size_t len)
{
    core_link_send(context, json, len);
}

/* Frees the first waiting packet. Overwrites it first, since it may contain a password. */
static void free_first_packet(struct core_link *link)
{
    struct waiting *waiting = link->first;
    link->first = waiting->next;
    link->queued--;
    explicit_bzero(waiting->bytes, waiting->len);
    free(waiting);
}

struct core_link *core_link_new(int socket)
{
    struct core_link *link = calloc(1, sizeof(*link));
    if (link == NULL || (link->buffer = malloc(PACKET_MAX)) == NULL) {
        abort();
    }
    link->socket = socket;
    link->client = client_new(send_packet, link);
    return link;
}

void core_link_free(struct core_link *link)
{
    if (link == NULL) {
        return;
    }
    while (link->first != NULL) {
        free_first_packet(link);
    }
    client_free(link->client);
    free(link->buffer);
    free(link);
}

struct client *core_link_client(struct core_link *link)
{
    return link->client;
}

void core_link_divert_packets(struct core_link *link, core_link_taker *take, void *context)
{
    link->take = take;
    link->take_context = context;
}

void core_link_break(struct core_link *link)
{
    link->is_broken = true;
}

short core_link_get_poll_events(const struct core_link *link)
{
    return link->first == NULL ? POLLIN : POLLIN | POLLOUT;
}

static void send_waiting_packets(struct core_link *link)
{
    while (link->first != NULL && try_to_send_packet(link, link->first->bytes, link->first->len)) {
        free_first_packet(link);
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
