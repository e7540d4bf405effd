#pragma once

#include "lobby/house/house_state.h"
#include "storage/ratings/leaders.h"

/* True when nobody qualifies for the leaderboard yet. The leaderboard then lists everybody who has
 * played a rated game. */
bool leaders_nobody_qualifies(struct house *house,
                              const struct storage_listing *listing) MUST_CHECK;
