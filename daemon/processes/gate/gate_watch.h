#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The descriptors that the gate waits for with epoll. */
struct gate;

/* The subject of an epoll event: one of the subjects below, or a session
 * (gate_watch_subject_of_session). */
enum {
    WATCH_SIGNALS = 0,
    WATCH_CORE,
    WATCH_LISTEN,
    WATCH_SESSION
};

/* Returns the subject of events of the session with that index: a line of its log, or its
 * sign-in. */
static inline uint64_t gate_watch_subject_of_session(size_t index, bool is_log)
{
    return WATCH_SESSION + 2 * (uint64_t)index + (is_log ? 1 : 0);
}

/* Calls epoll_ctl(2) with the operation. Returns false with a line on the log. */
bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t subject,
                           int operation);
