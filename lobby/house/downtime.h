#ifndef LOBBY_HOUSE_DOWNTIME_H
#define LOBBY_HOUSE_DOWNTIME_H

#include "lobby/house/house_state.h"

/*
 * Until when the house was there, so that no clock runs while it is not: after a crash, a shutdown
 * or a machine that slept. Written with what is stored anyway, and so often while some clock runs;
 * what a crash makes it miss is given back to the players.
 */
#define DOWNTIME_LIVE_MS 1000 /* a live game's clock */
#define DOWNTIME_DAYS_MS 20000
#define DOWNTIME_LATE_MS 1000 /* a turn that comes later than this is the house's own doing */

/* Reads the mark; before any table is restored. */
void downtime_begin(struct house *house);

/* A turn begins, at house->now_ms. If it is more than DOWNTIME_LATE_MS late (the house stood still,
 * was busy, or the machine slept), the time since the turn before counts for nobody at any table.
 */
void downtime_tick(struct house *house);

/* A turn has ended: notes by when the next one is wanted for the sake of somebody's time. */
void downtime_served(struct house *house);

#endif
