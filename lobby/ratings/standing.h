#pragma once

#include "lobby/house/house_state.h"

/* Keeps the leaderboards (storage/ratings/boards.h) in step with the ratings. */

/* Call after a change of the account's rating of this game, all-time (season 0) or of a season, or
 * of its tallies. */
void standing_update(struct house *house, int64_t account, const char *game, int32_t season);
