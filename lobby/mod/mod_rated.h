#pragma once

#include "lobby/sanctions/order.h"

/* Tells everybody in the house who has a row in the finished game's scores. */
void rated_players_tell(struct order *order, int64_t game, json_t *sentence);

/* False, with the order refused, when the requester has a row there: nobody decides on their own
 * game. The owner has no account. */
bool rated_players_are_others(struct order *order, int64_t game) MUST_CHECK;
