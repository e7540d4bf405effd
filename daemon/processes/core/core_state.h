#ifndef DAEMON_PROCESSES_CORE_CORE_STATE_H
#define DAEMON_PROCESSES_CORE_CORE_STATE_H

#include "daemon/base/packet.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/core/core_link.h"
#include "lobby/house/house.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct event;
struct event_base;
struct keeper;
struct storage;

/* The numbers of the house's connections: the gate's and the workers' come first, from 1. */
enum {
    CORE_CONN_KEEPER = CORE_WORKERS_MAX + 2,
    CORE_CONN_OPERATORS,       /* the first of them */
    CORE_CONN_SESSIONS = 1000, /* and above: the gate gives them out */
};

/* What the parts of the core share: core.c opens and closes it and runs the loop, core_receive.c
 * takes what arrives, core_turn.c ends a turn. */
struct core {
    struct storage *storage;
    struct house *house;
    struct event_base *base;
    struct event *clock;
    struct event *quiet;
    struct event *stop;
    struct event *hand_over;
    struct event *operators; /* NULL: nobody listens */
    struct keeper *keeper;
    struct links links;
    struct link *gate; /* one of them; NULL once its end is closed */
    bool is_adopting;  /* until connections_end: sessions that come have known an earlier core */
    bool is_stopping;
    bool is_handing_over;
    bool has_worked; /* since the quiet timer was set */
    char buffer[PACKET_MAX];
};

/* Ends the process when the house could not write. Nothing of this turn has been told, so the next
 * core may begin from what is on disk. */
void core_check(const struct core *core, enum house_result result);

/* Adds a peer's link and reads from it; the house is yet to be told. Takes over the socket. */
struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind);

/* Lets operators in through this listening socket, which is borrowed. */
void core_let_operators_in(struct core *core, int socket_fd);

/* Asks a peer that has known an earlier core, or another house_connect, to begin anew. */
void core_ask_to_begin(struct link *link);

/* Steals the reference. */
void core_send(struct link *link, json_t *message);

/* The end of a turn: what happened is made durable, then told. Telling may show that a peer has
 * fallen behind, which is an event like any other. */
void core_finish_turn(struct core *core);

#endif
