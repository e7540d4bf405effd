#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <stdlib.h>

static void add_event(struct event *event, const struct timeval *wait)
{
    if (event_add(event, wait) != 0) {
        abort(); /* out of memory */
    }
}

struct event *loop_make_event(struct event_base *base, int fd, short events,
                              event_callback_fn callback, void *context)
{
    return must_not_be_null(event_new(base, fd, events, callback, context));
}

struct event *loop_watch(struct event_base *base, int fd, short events, event_callback_fn callback,
                         void *context)
{
    struct event *event = loop_make_event(base, fd, events, callback, context);
    add_event(event, NULL);
    return event;
}

void loop_begin(struct event *event)
{
    add_event(event, NULL);
}

void loop_begin_ms(struct event *event, int64_t wait_ms)
{
    add_event(event,
              &(const struct timeval){.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000});
}

void loop_begin_once_ms(struct event *event, int64_t wait_ms)
{
    if (event_pending(event, EV_TIMEOUT, NULL) == 0) {
        loop_begin_ms(event, wait_ms);
    }
}
