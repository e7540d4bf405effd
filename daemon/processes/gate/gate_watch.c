#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <sys/epoll.h>

bool gate_watch_descriptor(const struct gate *gate, int fd, uint32_t events, uint64_t event_id,
                           int operation)
{
    struct epoll_event event = {.events = events, .data.u64 = event_id};
    return epoll_ctl(gate->epoll, operation, fd, &event) == 0 ||
           log_failure("cannot watch a descriptor");
}
