#ifndef DAEMON_PROCESSES_GATE_GATE_CORE_H
#define DAEMON_PROCESSES_GATE_GATE_CORE_H

#include "daemon/processes/gate/barred.h"
#include "games/macros.h"

#include <stdbool.h>

struct sessions;

/*
 * The gate's talk with the core (PROTOCOL.md, "The gate"). There is no queue: what the core has to
 * be told follows from the table of sessions, so a full socket only means later.
 *
 *     silent ──hello──► greeted ──welcome──► handing over ──connections_end──► live
 *       ▲                                                                       │
 *       └──────────────────────────── resync ──────────────────────────────────┘
 */
enum gate_core_state {
    GATE_CORE_SILENT = 0,
    GATE_CORE_GREETED,
    GATE_CORE_HANDING_OVER,
    GATE_CORE_LIVE,
};

/* A session that the house has ended has so long to say goodbye; then its process is ended. */
enum {
    GATE_CORE_END_MS = 3000
};

struct gate_core {
    int socket; /* borrowed */
    enum gate_core_state state;
    struct sessions *sessions; /* borrowed */
    bool has_more;             /* the socket was full: call again once it has room */
    struct barred barred;      /* as told last */
    bool has_endings;          /* some session has a time to be gone by (sessions.h) */
};

enum gate_core_result {
    GATE_CORE_OK = 0,
    GATE_CORE_GONE, /* end-of-file: there will be no core again */
};

/* Says and hands over what the core is to know and its socket has room for. */
enum gate_core_result gate_core_tell(struct gate_core *core) MUST_CHECK;

/* Takes what the core has said, then tells. */
enum gate_core_result gate_core_receive(struct gate_core *core) MUST_CHECK;

#endif
