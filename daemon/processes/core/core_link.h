#ifndef DAEMON_PROCESSES_CORE_CORE_LINK_H
#define DAEMON_PROCESSES_CORE_CORE_LINK_H

#include "daemon/base/bytes.h"
#include "lobby/house/house.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct event;
struct event_base;

/* Why a link is to be taken down at the end of the turn. */
enum link_end {
    LINK_LIVES = 0,
    LINK_GONE,      /* the peer closed its end */
    LINK_DISMISSED, /* the house has said `bye` to it */
    LINK_UNFIT,     /* the peer broke the protocol */
};

/*
 * The core's end of one peer's socket. What cannot be sent at once waits in a bounded queue;
 * nothing blocks. Marks say what happened to a link in a turn; the core acts on them at its end.
 */
struct link {
    int64_t conn;
    enum peer kind;
    int socket;
    void *owner;
    bool awaits_hello; /* it spoke to an earlier core: what it says before `hello` was for that */
    bool is_lost;      /* a mark: something did not fit, and the house is to be told */
    enum link_end end; /* a mark, unless LINK_LIVES */
    struct links *set;
    LIST_ENTRY(link) in_all;
    bool is_marked;
    LIST_ENTRY(link) in_marked;
    struct event *readable;
    struct event *writable;
    struct bytes unsent; /* each packet after its length */
};

LIST_HEAD(link_list, link);

struct links {
    void *by_conn; /* tsearch(3) */
    struct link_list all;
    struct link_list marked;
    size_t unsent_max; /* bytes that may wait for each, PACKET_MAX or more */
};

typedef void link_readable(int socket, short events, void *link);

/* Takes over the socket, which link_free closes, and adds the link to the set, where its number is
 * new. `on_readable` is called from the base's loop with the link. Dies when memory is out. */
struct link *link_new(struct links *set, struct event_base *base, int socket, int64_t conn,
                      enum peer kind, link_readable *on_readable);
void link_free(struct link *link);

/* NULL when there is none. */
struct link *link_find(const struct links *set, int64_t conn);

/* Sends or queues one packet of at most PACKET_MAX bytes. When it does not fit, the queue is
 * emptied and the link marked as lost. That the peer has gone is noticed when reading. */
void link_send(struct link *link, const char *json, size_t len);

/* The same for a message, whose reference it steals. Dies when memory is out. */
void link_send_json(struct link *link, json_t *message);

/* Asks a peer that has known an earlier core, or another house_connect, to begin anew: what it
 * sends before its next `hello` is passed over. */
void link_ask_to_begin(struct link *link);

/* Marks the link as at its end, and reads nothing more from it. */
void link_end(struct link *link, enum link_end why);

/* Takes back link_end: the link lives and is read. */
void link_revive(struct link *link);

/* Takes one link out of those marked, the marks themselves stay set; NULL when there is none. */
struct link *link_take_marked(struct links *set);

#endif
