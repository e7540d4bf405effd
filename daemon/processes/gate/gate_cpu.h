#pragma once

#include <stdint.h>

/*
 * A watchdog for sessions that they cannot disarm. Each session watches itself (watchdog.h), which
 * ends an honest one in time and with a message; a session under an attacker's control would stop
 * doing so. The gate measures the processor time of each from outside, and ends those that go well
 * beyond what their own watchdog allows. RLIMIT_CPU would not do: only its hard limit is certain to
 * kill, and raising that step by step needs CAP_SYS_RESOURCE, which the gate lacks.
 */
struct gate;

enum {
    GATE_CPU_SIGN_IN_MS = 3000, /* processor time that a session may use before somebody signs in */
    GATE_CPU_SIGN_IN_MEASURE_MS =
        1000,                  /* interval between measurements while somebody is signing in */
    GATE_CPU_MEASURE_MS = 5000 /* interval between measurements while nobody is signing in */
};

/* Measures all sessions if it is time to. Returns how long until the next measurement, in ms; -1:
 * there are no sessions. */
int64_t gate_cpu_measure(struct gate *gate, int64_t now_ms);
