#pragma once

#include <stdint.h>

/*
 * A watchdog for sessions that no session can disarm. Each session also watches itself
 * (watchdog.h): an honest session that uses too much processor time ends in time and with a
 * message, but a session that an attacker controls does not. So the gate measures each session's
 * processor time from outside, and ends sessions that go well beyond what their own watchdog
 * allows. RLIMIT_CPU is no alternative: only its hard limit is certain to kill, and raising a hard
 * limit step by step needs CAP_SYS_RESOURCE, which the gate lacks.
 */
struct gate;

enum {
    GATE_CPU_SIGN_IN_MS = 3000, /* processor time that a session may use before somebody signs in */
    GATE_CPU_SIGN_IN_MEASURE_MS = 1000, /* interval between measurements of sessions in which nobody
                                           has signed in */
    GATE_CPU_MEASURE_MS = 5000          /* interval between measurements of all sessions */
};

/* Measures the processor time of those sessions whose measurement is due. Returns the time until
 * the next measurement, in ms; -1 if there are no sessions. */
int64_t gate_cpu_measure_sessions(struct gate *gate, int64_t now_ms);
