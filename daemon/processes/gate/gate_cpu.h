#ifndef DAEMON_PROCESSES_GATE_GATE_CPU_H
#define DAEMON_PROCESSES_GATE_GATE_CPU_H

#include <stdint.h>

/*
 * The sessions' watchdog that no session can disarm. Each watches itself (watchdog.h), which ends
 * an honest one in time and with a word; one that was taken over would stop doing so. The gate
 * looks at the processor time of each from outside, and ends those that went well beyond what their
 * own watchdog grants. (Not RLIMIT_CPU: only its hard limit kills for certain, and raising that
 * step by step needs a right, CAP_SYS_RESOURCE, which the gate does not have.)
 */
struct gate;

enum {
    GATE_CPU_DOOR_MS = 3000,      /* all the time a session has until somebody has signed in */
    GATE_CPU_DOOR_LOOK_MS = 1000, /* how often it is looked at until then, */
    GATE_CPU_LOOK_MS = 5000       /* and later */
};

/* Looks at all sessions when it is time. How long until it is again, in ms; -1: there are none. */
int64_t gate_cpu_look(struct gate *gate, int64_t now_ms);

#endif
