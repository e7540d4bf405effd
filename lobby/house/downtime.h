#pragma once

#include "lobby/house/house_state.h"

/*
 * Records until when the house was up, so that no clock runs during downtime: after a crash, a
 * shutdown, or while the machine slept. The mark is written along with other writes, and at these
 * intervals while a clock runs. Time that a crash leaves unrecorded is given back to the players.
 */
#define DOWNTIME_LIVE_MS 1000 /* while a live game's clock runs */
#define DOWNTIME_DAYS_MS 20000
#define DOWNTIME_LATE_MS 1000 /* a turn later than this counts as downtime */

/* Reads the mark. Called before any table is restored. */
void downtime_load(struct house *house);

/* Called when a turn begins, at house->now_ms. If the turn is more than DOWNTIME_LATE_MS late (the
 * house was stopped or busy, or the machine slept), the time since the previous turn is charged to
 * nobody at any table. */
void downtime_begin_turn(struct house *house);

/* Called when a turn has ended: notes when the next one is due for somebody's clock. */
void downtime_end_turn(struct house *house);
