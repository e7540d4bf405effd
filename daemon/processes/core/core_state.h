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

/* The state that the files of the core share; no other file includes this header. core.c runs the
 * loop, core_link.c handles what arrives, core_link.c ends a pass of the loop, core_link.c
 * waits until turns are durable. */
struct core {
    struct core_lease *lease; /* NULL: the data are in a file of this node only */
    struct storage *storage;
    struct house *house;
    struct event_base *base;
    struct event *clock;
    struct event *quiet;
    struct event *stop;
    struct event *hand_over;
    struct event *beat; /* sends signs of life to the supervisor; NULL: none yet, or unwanted */
    bool is_ready;      /* the supervisor was told that this core is ready, or that it waits */
    char sign;          /* what a sign of life says: '\0' or CORE_IS_WAITING */
    struct core_waiting *waiting; /* answers operators; NULL: the house is open, or is just opened
                                   */
    int64_t loading_ms;           /* when the core began to load its data, monotonic */
    struct event *operators;      /* watches the socket of operators; NULL: there is none */
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
    const uint64_t *fatal;    /* core_setup.fatal */
    int64_t careful_until_ms; /* until then, each pass handles one packet (core_setup.has_died) */
    struct links links;
    struct link *gate;          /* the own gate's link; NULL once the gate has closed its end */
    struct core_bridge *bridge; /* NULL: the house has one node */
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
