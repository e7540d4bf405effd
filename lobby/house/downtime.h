#pragma once

#include "lobby/house/house_state.h"

/*
 * Stores until when the house was up, so that no player's clock runs during downtime: after a
 * crash, after a shutdown, or while the machine slept. The time is stored along with other writes
 * and, while a clock runs, at least every DOWNTIME_LIVE_MS or DOWNTIME_DAYS_MS. After a crash, the
 * time since the last such write counts as downtime too.
 */
#define DOWNTIME_LIVE_MS 1000 /* how often the time is stored while a live game's clock runs */
#define DOWNTIME_DAYS_MS 20000
/* if a pass of the core's loop begins later than planned by more than this, the time since the
 * previous pass is downtime */
#define DOWNTIME_LATE_MS 1000

/* Reads from the storage until when the house was up. Called before any table is restored. */
void downtime_load_last_time_up(struct house *house);

/* Called when a pass of the core's loop begins. If the pass begins more than DOWNTIME_LATE_MS late
 * (the house was stopped or busy, or the machine slept), the time since the previous pass counts on
 * no player's clock. */
void downtime_begin_loop_pass(struct house *house);

/* Called when a pass of the core's loop has ended: records when a running clock needs the next
 * pass. */
void downtime_end_loop_pass(struct house *house);
