#pragma once

#include "lobby/house/house_state.h"

/* Keeps the leaderboards (storage/ratings/boards.h) in step with the ratings. */

/* Updates the account's entries on the leaderboards of this game: all-time (season 0) or of a
 * season. Call it after a change of the rating or its tallies. */
void standing_update_leaderboards(struct house *house, int64_t account, const char *game,
                                  int32_t season);
