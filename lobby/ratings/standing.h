#ifndef LOBBY_RATINGS_STANDING_H
#define LOBBY_RATINGS_STANDING_H

#include "lobby/house/house_state.h"

/* Keeps the leaderboards (storage/ratings/boards.h) in step with the ratings. */

/* After the account's rating of this game, of all time (season 0) or a season, and its tallies have
 * changed. */
void standing_update(struct house *house, int64_t account, const char *game, int32_t season);

/* The house begins: time may have taken off some meanwhile. */
void standing_begin(struct house *house);

/* Takes off the lists whom time takes off: a few a turn. */
void standing_tick(struct house *house);
int64_t standing_next_ms(const struct house *house);

#endif
