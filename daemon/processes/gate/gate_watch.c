#include "daemon/processes/gate/gate_watch.h"

#include "daemon/base/log.h"
#include "daemon/processes/gate/gate_state.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t what,
                           int operation)
{
    struct epoll_event event = {.events = events, .data.u64 = what};
    if (epoll_ctl(gate->epoll, operation, fd, &event) == 0) {
        return true;
    }
    log_event(LOG_LEVEL_ERROR, 0, "cannot watch a descriptor: %s", strerror(errno));
    return false;
}
