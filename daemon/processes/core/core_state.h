#pragma once

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/core/core.h"
#include "lobby/house/house.h"
#include "storage/storage.h"

#include <stdlib.h>

/* The house knows each peer by a connection number. The gate and the workers have the lowest
 * numbers, from 1 on. */
enum {
    CORE_CONN_GATE = 1,
    CORE_CONN_KEEPER = CORE_WORKERS_MAX + 2,
    CORE_CONN_OPERATORS, /* the lowest connection number of an operator */
    /* the lowest connection number of a session; the gate assigns these */
    CORE_CONN_SESSIONS = 1000,
};

/* The core's side of its protocol with the bridge (core.h). */
struct core_bridge {
    struct core *core;
    struct links links; /* of this link only */
    struct link *link;  /* NULL: the house has one node */
    bool is_serving;    /* the house is open */
    json_t *nodes;      /* the message `nodes`; NULL: not known yet */
    json_t *own_key;    /* the message `answers_key` of this core; NULL: none */
    int64_t turn;       /* number of the last message `nodes` */
    bool is_holder;     /* that message says that the own node holds the house */
    bool is_released;   /* the bridge reads none of the own sockets any more */
    unsigned
        reached; /* other nodes that are alive and connected, while the own node holds the house */
    bool is_cut_off; /* too few are: the bridge has asked to leave the house to another node */
    bool has_house_key;
    uint8_t house_key[CORE_KEY_BYTES]; /* key of the last holder */
};

/* The state that the files of the core share; no other file includes this header. core.c waits for
 * the lease and runs the loop; core_link.c handles what arrives, waits until turns are durable, and
 * ends a pass of the loop. */
struct core {
    const struct core_setup *setup; /* borrowed */
    struct core_lease *lease;       /* NULL: the data are in a file of this node only */
    struct storage *storage;
    struct house *house;
    struct event_base *base;
    struct event *clock;
    struct event *quiet;
    struct event *stop;
    struct event *hand_over;
    struct event *beat;  /* sends signs of life to the supervisor; NULL: none yet, or unwanted */
    bool is_ready;       /* the supervisor was told that this core is ready, or that it waits */
    char sign;           /* what a sign of life says: '\0' or CORE_IS_WAITING */
    struct event *waits; /* hears of the end of a reload's check while operators are answered here;
                            NULL: the house is open, or is just opened */
    char failure[STORAGE_WHY_SIZE]; /* why the core cannot use its data; "": it can */
    int64_t loading_ms;             /* when the core began to load its data, monotonic */
    struct event *operators;        /* watches the socket of operators; NULL: there is none */
    /* watch the sockets of the storage (core.h) */
    struct event *settling[STORAGE_SOCKETS_MAX];
    struct core_reload reload;
    struct keeper *keeper;
    struct metrics metrics; /* the page is borrowed */
    struct core_metrics *measuring;
    int64_t pass_begun_us; /* when this pass of the loop began; 0: nothing has arrived yet */
    uint64_t pass_moves;   /* moves of players in this pass that are not committed yet */
    uint64_t turn;         /* storage_last_turn before the last commit began */
    int64_t commit_begun_us;
    int64_t careful_until_ms; /* until then, each pass handles one packet (core_setup.has_died) */
    struct links links;
    struct link *gate; /* the own gate's link; NULL once the gate has closed its end */
    struct core_bridge bridge;
    struct core_nodes nodes;
    bool is_stopping;
    bool is_handing_over;
    bool has_worked; /* the core has handled an event since the timer `quiet` was set */
    char buffer[PACKET_MAX];
};

/* Aborts the process if the house could not write its data: the state in memory is then ahead of
 * the disk. Nothing from this pass of the loop has been sent, nor from any turn that is not
 * durable, so the next core can continue from the data on disk. */
static inline void core_abort_unless_written(const struct core *core, enum house_result result)
{
    if (result == HOUSE_STORAGE_FAILED) {
        log_event(LOG_LEVEL_ERROR, 0, "the data cannot be written: %s",
                  house_failure_reason(core->house));
        abort();
    }
}
