#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Limits the processor time of a session, whatever the libraries do with the client's input. If a
 * pass of the session's loop takes a second of CPU time, SIGPROF ends the process. A normal pass
 * takes less than a hundredth of that, so there is no setting.
 *
 * A session also ends if it uses more than share_percent of a CPU over window_ms. While somebody
 * types, half a CPU is allowed, but no more: a key press now and then does not allow unlimited
 * work.
 *
 * The session enforces all this itself; the gate ends a session that an attacker controls
 * (daemon/processes/gate/gate_cpu.h).
 */
enum {
    WATCHDOG_TYPED_PERCENT = 50
};

struct watchdog {
    int64_t window_ms;
    int share_percent;
    int64_t since_ms;     /* start of the current time window on the monotonic clock */
    int64_t cpu_since_ms; /* CPU time that was used before the window began */
    bool has_typed;       /* somebody has typed in this window */
};

/* Limits the pass of the session's loop that begins now to one second of CPU time. */
void watchdog_arm(void);

/* Returns the CPU time that this process has used. */
int64_t watchdog_read_cpu_ms(void);

/* Sets the limits. Call watchdog_start_window to start the first window. */
void watchdog_init(struct watchdog *watchdog, int64_t window_ms, int share_percent);

/* Records that somebody has typed, which allows more CPU time in this window. */
void watchdog_note_typing(struct watchdog *watchdog);

/* Starts a new time window. CPU time that was used before it no longer counts. */
void watchdog_start_window(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);

/* True as soon as the session has used the CPU time that the window allows. Call it in each pass of
 * the loop. A check only at the end of the window would be too late: a client could leave before
 * the end and connect again. */
bool watchdog_is_limit_exceeded(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);
