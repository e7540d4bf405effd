#ifndef DAEMON_SESSION_WATCHDOG_H
#define DAEMON_SESSION_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Keeps a session from eating the machine, whatever its peer has made a library do. A loop turn
 * that takes a second of CPU time ends the process with SIGPROF: no honest one takes a hundredth of
 * that, so there is nothing to set. A session that uses more than share_percent of a CPU over
 * window_ms without anything typed is greedy.
 */
struct watchdog {
    int64_t window_ms;
    int share_percent;
    int64_t since_ms;     /* begin of the window */
    int64_t cpu_since_ms; /* CPU time used then */
};

/* Gives the turn that begins now its second. */
void watchdog_arm(void);

/* CPU time this process has used. */
int64_t watchdog_cpu_ms(void);

/* In place; no window has started. */
void watchdog_init(struct watchdog *watchdog, int64_t window_ms, int share_percent);

/* Starts a window: at first, and whenever something was typed. */
void watchdog_restart(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);

/* Call each turn. */
bool watchdog_is_greedy(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);

#endif
