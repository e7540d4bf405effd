#pragma once

#include "daemon/base/bytes.h"
#include "lobby/house/house.h"

#include <jansson.h>
#include <sys/queue.h>

struct event;
struct event_base;

/* Why the core closes its connection to a peer at the end of a pass of the core's loop. */
enum link_end {
    LINK_LIVES = 0,
    LINK_GONE,      /* the peer has closed its end */
    LINK_DISMISSED, /* the house has sent the peer a `bye` */
    LINK_UNFIT,     /* the peer broke the protocol */
};

/*
 * The core's end of a peer's socket. Packets that cannot be sent at once wait in a bounded queue;
 * no function blocks. Marks record what happened to a link during a pass of the core's loop. The
 * core acts on the marks at the end of the pass.
 */
struct link {
    int64_t conn;
    enum peer kind;
    int socket; /* -1: the link is away, since the connection with its node is lost (core_nodes.h)
                 */
    void *owner;
    int64_t gate;          /* for a session: number of the gate that has handed it over */
    bool is_adopting;      /* for a gate: the sessions that it hands over now were connected to an
                              earlier      core; false after connections_end */
    char *opening;         /* for a session of this node: the gate's message that handed it over */
    bool has_left;         /* for a session of another node: its process has ended */
    int64_t away_until_ms; /* when the core gives up a link that is away, monotonic */
    bool awaits_hello; /* messages before the peer's `hello` were meant for an earlier core: ignore
                          them */
    bool is_lost; /* a packet did not fit the queue; until the `resync` of the house, nothing is
                     sent */
    enum link_end end; /* why the link must be closed; LINK_LIVES if it stays open */
    struct links *set;
    LIST_ENTRY(link) in_all;
    bool is_marked;
    LIST_ENTRY(link) in_marked;
    bool has_gathered; /* see link_gather */
    LIST_ENTRY(link) in_gathered;
    struct event *readable;
    struct event *writable;
    struct bytes unsent; /* packets that wait, each preceded by its length */
};

LIST_HEAD(link_list, link);

struct links {
    void *by_conn; /* search tree of the links by connection number (tsearch(3)) */
    struct link_list all;
    struct link_list marked;
    struct link_list gathered;
    size_t unsent_max; /* limit of the unsent bytes of each link; at least PACKET_MAX */
    bool is_paused;    /* see links_pause_reading */
};

typedef void link_read_handler(int socket, short events, void *link);

/* Makes a link for a socket and adds it to the set. The connection number must be new. Takes over
 * the socket, which link_free closes. The event loop of `base` calls `on_readable` with the link.
 * Aborts if memory runs out. */
struct link *link_new(struct links *set, struct event_base *base, int socket, int64_t conn,
                      enum peer kind, link_read_handler *on_readable);
void link_free(struct link *link);

/* Closes the link's socket, but keeps the link, which is now away: what is sent to it is dropped.
 */
void link_detach(struct link *link);

/* Gives a link that is away a socket again, and takes the socket over. */
void link_attach(struct link *link, struct event_base *base, int socket,
                 link_read_handler *on_readable);

/* Returns the link with this connection number, or NULL. */
struct link *link_find(const struct links *set, int64_t conn);

/* Sends or queues one packet of at most PACKET_MAX bytes. If the queue has no room for the packet,
 * empties the queue and marks the link: a packet was lost. Does not notice that the peer has closed
 * its end; only reading does. */
void link_send(struct link *link, const char *json, size_t len);

/* Like link_send, but sends the packet at the next links_send_gathered of the set, or the next
 * link_send to this link. So a peer gets all that one turn of the house has for it at once, and is
 * woken once. */
void link_gather(struct link *link, const char *json, size_t len);
void links_send_gathered(struct links *set);

/* Sends a `resync` of the house, after which the peer understands all packets again, even if one
 * was lost before. It is never lost: if the queue has no room, drops what waits there, which is
 * useless to a peer that starts over. */
void link_send_resync(struct link *link, const char *json, size_t len);

/* Sends a message like link_send; takes over the reference. Aborts if memory runs out. */
void link_send_json(struct link *link, json_t *message);

/* Tells a session or an operator why the connection ends; takes over the reference of the sentence
 * (lobby/house/say.h). */
void link_send_goodbye(struct link *link, json_t *why);

/* Tells a peer to start over, because the core is new, or because the house has forgotten the
 * peer's earlier messages at another house_connect. What the peer sends before its next `hello` is
 * ignored. */
void link_ask_to_start_over(struct link *link);

/* Marks the link to be closed at the end of the pass, and stops reading from it. */
void link_end(struct link *link, enum link_end why);

/* Undoes link_end: the link stays open, and the core reads from it again. */
void link_cancel_end(struct link *link);

/* Stops reading from all links of the set, also from those that are added meanwhile, or goes on
 * reading. */
void links_pause_reading(struct links *set, bool is_paused);

/* Removes one link from the list of marked links and returns it; NULL if there is none. The marks
 * of the link stay set. */
struct link *link_take_next_marked(struct links *set);
