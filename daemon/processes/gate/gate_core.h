#pragma once

#include "daemon/processes/gate/banned_nets.h"

struct sessions;

/*
 * The gate's side of its protocol with the core (PROTOCOL.md, "The gate"). There is no queue: if
 * the socket is full, the messages are made later from the table of sessions.
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

/* time for an ended session to say goodbye before its process is killed */
enum {
    GATE_CORE_END_MS = 3000
};

struct gate_core {
    int socket; /* borrowed from the gate */
    enum gate_core_state state;
    struct sessions *sessions; /* borrowed from the gate */
    bool
        has_more; /* the socket was full: call gate_core_send_new_sessions again when it has room */
    bool is_waiting;           /* the core has said that it cannot use its data */
    struct banned_nets banned; /* networks that staff have banned, from the core's latest message */
};

enum gate_core_result {
    GATE_CORE_OK = 0,
    GATE_CORE_GONE, /* the core's socket was closed: there will be no other core */
};

/* Tells the core about new sessions, until its socket is full. */
enum gate_core_result gate_core_send_new_sessions(struct gate_core *core) MUST_CHECK;

/* Receives the core's messages, then calls gate_core_send_new_sessions. */
enum gate_core_result gate_core_receive(struct gate_core *core) MUST_CHECK;
