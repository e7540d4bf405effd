#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Limits the processor time of a session, whatever the libraries do with the client's input. A turn
 * of the session's loop that takes a second of CPU time ends the process with SIGPROF; a normal
 * turn takes less than a hundredth of that, so there is no setting. A session also ends if it uses
 * more than share_percent of a CPU over window_ms. While somebody types, half a CPU is allowed, but
 * no more: a key press now and then does not allow unlimited work. The session enforces all this
 * itself; the gate ends a session that an attacker controls (daemon/processes/gate/gate_cpu.h).
 */
enum {
    WATCHDOG_TYPED_PERCENT = 50
};

struct watchdog {
    int64_t window_ms;
    int share_percent;
    int64_t since_ms;     /* start of the window, monotonic */
    int64_t cpu_since_ms; /* CPU time that was used before the window */
    bool has_typed;       /* somebody has typed in this window */
};

/* Allows the turn of the session's loop that begins now one second of CPU time. */
void watchdog_arm(void);

/* Returns the CPU time that this process has used. */
int64_t watchdog_read_cpu_ms(void);

/* Sets the limits. The first window starts with watchdog_start_window. */
void watchdog_init(struct watchdog *watchdog, int64_t window_ms, int share_percent);

/* Notes that somebody has typed. */
void watchdog_note_typing(struct watchdog *watchdog);

/* Starts a new window of measurement. */
void watchdog_start_window(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);

/* True as soon as the CPU time of the window is used up; call it in each turn. A check only at the
 * end of the window would be too late: a client could leave before the end and connect again. */
bool watchdog_is_limit_exceeded(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);
