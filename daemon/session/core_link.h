#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A session's socket to the core: moves packets between it and the client (client.h) that this
 * link owns. What the socket has no room for waits here, in order; more than CORE_LINK_QUEUE_MAX
 * packets of it, an end-of-file or a broken packet make the link broken for good.
 *
 * Nothing is read but inside core_link_receive and core_link_wait: what the core pushes before
 * there is a screen stays in the socket.
 */
struct core_link;
struct client;

#define CORE_LINK_QUEUE_MAX 256

/* The socket stays the caller's, and open for the life of the link. Never NULL. */
struct core_link *core_link_new(int socket);
void core_link_free(struct core_link *link);

/* Borrowed. */
struct client *core_link_client(struct core_link *link);

/* Takes what comes in the client's place from now on, one packet (borrowed) a call; false: no more
 * this turn. */
typedef bool core_link_taker(void *context, const char *packet, size_t len);
void core_link_tap(struct core_link *link, core_link_taker *take, void *context);

/* Sends one packet of at most PACKET_MAX bytes past the client. */
void core_link_send(struct core_link *link, const char *packet, size_t len);

/* The poll(2) events it waits for now. */
short core_link_events(const struct core_link *link);

/* Sends what waits and takes what has come, at most 64 packets at a time. False: it is broken. */
bool core_link_turn(struct core_link *link) MUST_CHECK;

enum core_link_wait {
    CORE_LINK_DONE = 0,
    CORE_LINK_LATE,   /* the deadline has passed */
    CORE_LINK_HUNGUP, /* the other connection hung up, or stop_fd is readable */
    CORE_LINK_BROKEN,
};

/* Serves the link, and no more of it than needed, until *is_done, which an answer's callback sets.
 * Meanwhile the connection `peer_fd` is watched only for hanging up. deadline_ms is on the
 * monotonic clock. */
enum core_link_wait core_link_wait(struct core_link *link, const bool *is_done, int peer_fd,
                                   int stop_fd, int64_t deadline_ms) MUST_CHECK;
