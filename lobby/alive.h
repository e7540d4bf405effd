#ifndef LOBBY_ALIVE_H
#define LOBBY_ALIVE_H

#include "lobby/house_state.h"

/*
 * Until when the house was there, so that no clock runs while it is not: after a crash, a shutdown
 * or a machine that slept. Written with what is stored anyway, and so often while some clock runs;
 * what a crash makes it miss is given back to the players.
 */
#define ALIVE_LIVE_MS 1000 /* a live game's clock */
#define ALIVE_DAYS_MS 20000
#define ALIVE_GAP_MS 60000 /* longer without a tick while a clock runs: the machine slept */

/* Reads the mark; before any table is restored. */
void alive_begin(struct house *house);

/* Time since the last tick counts for nobody if it is a gap. */
void alive_tick(struct house *house);
int64_t alive_next_ms(const struct house *house);

/* Before a commit: writes the mark if it is time. */
void alive_flush(struct house *house);

#endif
