#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A session's socket to the core: passes packets from the core to the client (client.h), which the
 * link owns, and from the client to the core. Packets that find the socket full wait in order. The
 * link breaks for good if more than CORE_LINK_QUEUE_MAX packets wait, at the end of file, or after
 * a malformed packet. Only core_link_exchange and core_link_wait read from the socket, so what the
 * core sends before there is a screen stays in the socket.
 */
struct core_link;
struct client;

#define CORE_LINK_QUEUE_MAX 256

/* Makes a link on the socket, which the caller owns and keeps open while the link exists. Never
 * returns NULL. */
struct core_link *core_link_new(int socket);
void core_link_free(struct core_link *link);

/* Returns the link's client; borrowed. */
struct client *core_link_client(struct core_link *link);

/* Passes packets to this function in place of the client from now on, one borrowed packet a call.
 * The function returns false to receive no more in this turn. */
typedef bool core_link_taker(void *context, const char *packet, size_t len);
void core_link_divert_packets(struct core_link *link, core_link_taker *take, void *context);

/* Sends one packet of at most PACKET_MAX bytes without the client. */
void core_link_send(struct core_link *link, const char *packet, size_t len);

/* Returns the poll(2) events that the link waits for. */
short core_link_poll_events(const struct core_link *link);

/* Sends waiting packets and reads those that have arrived, at most 64. Returns false if the link is
 * broken. */
bool core_link_exchange(struct core_link *link) MUST_CHECK;

enum core_link_wait {
    CORE_LINK_DONE = 0,
    CORE_LINK_LATE,   /* the deadline has passed */
    CORE_LINK_HUNGUP, /* the client has closed its connection, or stop_fd is readable */
    CORE_LINK_BROKEN,
};

/* Serves the link until *is_done is set by the callback of an answer; reads no more packets than
 * needed. Watches the client's connection `peer_fd` only for its closing. deadline_ms is
 * monotonic. */
enum core_link_wait core_link_wait(struct core_link *link, const bool *is_done, int peer_fd,
                                   int stop_fd, int64_t deadline_ms) MUST_CHECK;
