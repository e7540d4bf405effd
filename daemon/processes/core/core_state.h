#pragma once

#include "daemon/base/packet.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/core/core_link.h"
#include "lobby/house/house.h"

#include <stdbool.h>

struct event;
struct event_base;
struct keeper;
struct storage;

/* Numbers of the house's connections. The gate's and the workers' come first, from 1. */
enum {
    CORE_CONN_KEEPER = CORE_WORKERS_MAX + 2,
    CORE_CONN_OPERATORS,       /* the first operator */
    CORE_CONN_SESSIONS = 1000, /* and above: given by the gate */
};

/* The state that the files of the core share; nobody else includes this header. core.c opens and
 * closes it and runs the loop, core_receive.c takes what arrives, core_turn.c ends a turn. */
struct core {
    struct storage *storage;
    struct house *house;
    struct event_base *base;
    struct event *clock;
    struct event *quiet;
    struct event *stop;
    struct event *hand_over;
    struct event *operators; /* NULL: no operators */
    struct keeper *keeper;
    struct links links;
    struct link *gate; /* one of the links; NULL once its end is closed */
    bool is_adopting;  /* until connections_end: arriving sessions have known an earlier core */
    bool is_stopping;
    bool is_handing_over;
    bool has_worked; /* something happened since the quiet timer was set */
    char buffer[PACKET_MAX];
};
