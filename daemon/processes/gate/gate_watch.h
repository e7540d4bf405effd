#pragma once

#include "daemon/processes/gate/gate_proxy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches the gate's descriptors with epoll. */
struct gate;

/* Identifies what an epoll event is about: one of the values below, a value for a connection that
 * waits for its proxy (WATCH_PROXY and its index), or a value for a session
 * (gate_watch_event_id_of_session). */
enum {
    WATCH_SIGNALS = 0,
    WATCH_CORE,
    WATCH_LISTEN,
    WATCH_PROXY,
    WATCH_SESSION = WATCH_PROXY + GATE_PROXY_WAITING_MAX
};

/* Returns the id of epoll events of the session at `index`. If is_log, such an event means that the
 * session has written to its log, and otherwise that somebody has signed in. */
static inline uint64_t gate_watch_event_id_of_session(size_t index, bool is_log)
{
    return WATCH_SESSION + 2 * (uint64_t)index + (is_log ? 1 : 0);
}

/* Calls epoll_ctl(2) with this operation (such as EPOLL_CTL_ADD). Returns false, with a line on the
 * log, if the call fails. */
bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t event_id,
                           int operation);
