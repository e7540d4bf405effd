#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A session's socket to the core. The link passes packets from the core to the client (client.h),
 * which the link owns, and from the client to the core. Packets that find the socket full wait in
 * order. The link breaks for good at the end of file, after a malformed packet, or if more than
 * CORE_LINK_QUEUE_MAX packets wait. Only core_link_exchange_packets and core_link_wait read from
 * the socket, so messages that the core sends before there is a screen stay in the socket.
 */
struct core_link;
struct client;

#define CORE_LINK_QUEUE_MAX 256

/* Makes a link on the socket. The caller owns the socket and keeps it open while the link exists.
 * Never returns NULL. */
struct core_link *core_link_new(int socket);
void core_link_free(struct core_link *link);

/* Returns the link's client; borrowed. */
struct client *core_link_client(struct core_link *link);

/* From now on passes the packets of the core to the function `take` in place of the link's client,
 * one borrowed packet a call. `take` returns false to receive no more packets in this pass of the
 * session's loop. */
typedef bool core_link_taker(void *context, const char *packet, size_t len);
void core_link_divert_packets(struct core_link *link, core_link_taker *take, void *context);

/* Sends one packet of at most PACKET_MAX bytes that was not made by the link's client. */
void core_link_send(struct core_link *link, const char *packet, size_t len);

/* Breaks the link: the session is to end. */
void core_link_break(struct core_link *link);

/* Returns the poll(2) events to wait for on the link's socket. */
short core_link_get_poll_events(const struct core_link *link);

/* Sends waiting packets and reads packets that have arrived, at most 64. Returns false if the link
 * is broken. */
bool core_link_exchange_packets(struct core_link *link) MUST_CHECK;

enum core_link_wait {
    CORE_LINK_DONE = 0,
    CORE_LINK_LATE,   /* the deadline has passed */
    CORE_LINK_HUNGUP, /* the client has closed its connection, or stop_fd is readable */
    CORE_LINK_BROKEN,
};

/* Serves the link until the callback of an answer sets *is_done. Reads no more packets than needed.
 * Watches the client's connection `peer_fd`, but only to notice that it is closed. deadline_ms is
 * monotonic. */
enum core_link_wait core_link_wait(struct core_link *link, const bool *is_done, int peer_fd,
                                   int stop_fd, int64_t deadline_ms) MUST_CHECK;
