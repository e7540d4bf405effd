#pragma once

#include "lobby/sanctions/order.h"

/* Tells everybody in the house who has a row in the finished game's scores. */
void rated_players_tell(struct order *order, int64_t game, json_t *sentence);
