#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/processes/core/core_state.h"

#include <event2/event.h>

/* Does nothing: the event that calls this makes the core's loop do a pass, whose commit calls
 * storage_settle. */
static void make_pass(UNUSED int socket, UNUSED short events, UNUSED void *context)
{
}

void core_settle_watch(struct core *core)
{
    /* the time counts anew from each event of the socket */
    static const struct timeval at_least_every = {.tv_usec = STORAGE_SETTLE_MS * 1000L};
    int sockets[STORAGE_SOCKETS_MAX];
    size_t count = storage_sockets(core->storage, sockets);
    for (size_t i = 0; i < count; i++) {
        core->settling[i] =
            event_new(core->base, sockets[i], EV_READ | EV_PERSIST, make_pass, NULL);
        if (core->settling[i] == NULL || event_add(core->settling[i], &at_least_every) != 0) {
            abort(); /* out of memory */
        }
    }
}

void core_settle_unwatch(struct core *core)
{
    for (size_t i = 0; i < STORAGE_SOCKETS_MAX; i++) {
        if (core->settling[i] != NULL) {
            event_free(core->settling[i]);
            core->settling[i] = NULL;
        }
    }
}

/* Stops receiving from all peers, also from new operators, or goes on receiving. */
static void pause_receiving(struct core *core, bool is_paused)
{
    if (core->links.is_paused == is_paused) {
        return;
    }
    links_pause_reading(&core->links, is_paused);
    if (core->operators == NULL) {
        return;
    }
    if (is_paused) {
        event_del(core->operators);
    } else if (event_add(core->operators, NULL) != 0) {
        abort(); /* out of memory */
    }
}

void core_settle_limit_turns(struct core *core)
{
    pause_receiving(core, house_count_unsettled_turns(core->house) >= HOUSE_UNSETTLED_TURNS_MAX);
}

void core_settle_finish(struct core *core)
{
    int64_t until_ms = clock_steady_ms() + CORE_SETTLE_MAX_MS;
    pause_receiving(core, true);
    event_del(core->clock); /* the house begins no new turns */
    while (house_count_unsettled_turns(core->house) > 0 && clock_steady_ms() < until_ms) {
        /* returns within STORAGE_SETTLE_MS, because a storage with such turns has sockets */
        event_base_loop(core->base, EVLOOP_ONCE);
        core_finish_pass(core);
    }
    if (house_count_unsettled_turns(core->house) > 0) {
        log_event(LOG_LEVEL_ERROR, 0,
                  "the database has not confirmed the last changes: nobody was told of them");
    }
}
