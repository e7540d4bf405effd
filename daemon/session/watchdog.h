#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Keeps a session from eating the machine, whatever its peer has made a library do. A loop turn
 * that takes a second of CPU time ends the process with SIGPROF: no honest one takes a hundredth of
 * that, so there is nothing to set. A session that uses more than share_percent of a CPU over
 * window_ms is greedy; when something was typed meanwhile, half a CPU is its due: a key now and
 * then is no excuse for work that no typing makes. All this is the session's own good will: one
 * that was taken over is ended by the gate (daemon/processes/gate/gate_cpu.h).
 */
enum {
    WATCHDOG_TYPED_PERCENT = 50
};

struct watchdog {
    int64_t window_ms;
    int share_percent;
    int64_t since_ms;     /* begin of the window */
    int64_t cpu_since_ms; /* CPU time used then */
    bool has_typed;       /* since then */
};

/* Gives the turn that begins now its second. */
void watchdog_arm(void);

/* CPU time this process has used. */
int64_t watchdog_cpu_ms(void);

/* In place; no window has started. */
void watchdog_init(struct watchdog *watchdog, int64_t window_ms, int share_percent);

/* Something was typed. */
void watchdog_typed(struct watchdog *watchdog);

/* Starts the first window. */
void watchdog_restart(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);

/* Call each turn. True as soon as the window's share is used up, before its end: who leaves then
 * and comes again would never reach that. */
bool watchdog_is_greedy(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);
