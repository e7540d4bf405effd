#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct config;
struct core;
struct core_setup;

/*
 * What the core tells the supervisor through core_setup.ready_fd: that it is ready, and from then
 * on that it does not hang. A ready core serves the house, or waits until its node may
 * (core_lease.h).
 */

/* Returns for how long a core may give no sign of life before the supervisor ends it: [limits]
 * core_silence_s, but with the data in PostgreSQL less than a lease's time, since then another node
 * takes the house, and this one's sessions must follow it. 0: for ever. */
int64_t core_life_silence_limit_ms(const struct config *config);

/* Reports that the core is ready, and gives signs of life from now on. Does nothing if the core is
 * ready already. Returns false if the timer cannot be made. */
bool core_life_report_ready(struct core *core, const struct core_setup *setup) MUST_CHECK;

/* The same for a core that waits because it cannot use its data (core_waiting.h). */
bool core_life_report_waiting(struct core *core, const struct core_setup *setup) MUST_CHECK;

/* Says that the core loads the data, which may take long: until the next core_life_report_ready it
 * gives no signs of life. Does nothing if the core is not ready. */
void core_life_begin_loading(struct core *core, const struct core_setup *setup);
