#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches the gate's descriptors with epoll. */
struct gate;

/* The subject of an epoll event: one of the subjects below, or a session
 * (gate_watch_subject_of_session). */
enum {
    WATCH_SIGNALS = 0,
    WATCH_CORE,
    WATCH_LISTEN,
    WATCH_SESSION
};

/* Returns the subject of an event of the session at `index`. The event is a line of the session's
 * log if is_log, and otherwise a sign-in. */
static inline uint64_t gate_watch_subject_of_session(size_t index, bool is_log)
{
    return WATCH_SESSION + 2 * (uint64_t)index + (is_log ? 1 : 0);
}

/* Calls epoll_ctl(2) with the operation. Returns false, with a line on the log, if the call
 * fails. */
bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t subject,
                           int operation);
