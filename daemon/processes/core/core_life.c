#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/core/core_state.h"

#include <errno.h>
#include <event2/event.h>
#include <unistd.h>

#define BEATS 4 /* signs of life within the time after which a silent core counts as hanging */
#define MS_PER_S 1000

int64_t core_life_silence_limit_ms(const struct config *config)
{
    int64_t limit_ms = (int64_t)config->limits_core_silence_s * MS_PER_S;
    int64_t lease_ms = (int64_t)config->cluster_lease_s * MS_PER_S;
    return config->storage_url[0] == '\0' || limit_ms < lease_ms ? limit_ms : lease_ms - MS_PER_S;
}

/* Sends a byte to the supervisor, which reads everything that has arrived. */
static void send_sign_of_life(int ready_fd, UNUSED short events, void *context)
{
    struct core *core = context;
    if (write(ready_fd, &core->sign, 1) != 1 && errno != EAGAIN) {
        /* the supervisor has executed a newer program, and will replace this core */
        event_del(core->beat);
    }
}

static bool begin_signs_of_life(struct core *core, const struct core_setup *setup)
{
    int64_t wait_ms = core_life_silence_limit_ms(setup->config) / BEATS;
    const struct timeval wait = {.tv_sec = wait_ms / MS_PER_S,
                                 .tv_usec = wait_ms % MS_PER_S * 1000};
    if (core->beat == NULL) {
        core->beat = event_new(core->base, setup->ready_fd, EV_PERSIST, send_sign_of_life, core);
    }
    return core->beat != NULL && event_add(core->beat, &wait) == 0;
}

static bool report(struct core *core, const struct core_setup *setup, char sign)
{
    if (setup->ready_fd < 0 || (core->is_ready && core->sign == sign)) {
        return true;
    }
    core->is_ready = true;
    core->sign = sign;
    if (write(setup->ready_fd, &sign, 1) != 1) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core is ready");
    }
    /* if it is 0, nobody watches whether the core hangs */
    return setup->config->limits_core_silence_s == 0 || begin_signs_of_life(core, setup);
}

bool core_life_report_ready(struct core *core, const struct core_setup *setup)
{
    return report(core, setup, '\0');
}

bool core_life_report_waiting(struct core *core, const struct core_setup *setup)
{
    return report(core, setup, CORE_IS_WAITING);
}

void core_life_begin_loading(struct core *core, const struct core_setup *setup)
{
    static const char loading[] = {CORE_IS_LOADING};
    if (core->beat == NULL) {
        return;
    }
    core->is_ready = false;
    event_del(core->beat);
    if (write(setup->ready_fd, loading, sizeof loading) != sizeof loading) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core loads the data");
    }
}
