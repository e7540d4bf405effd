#pragma once

#include "lobby/sanctions/order.h"

/* Sends the sentence to the players of a finished game who are in the house. */
void mod_rated_notify_players(struct order *order, int64_t game, json_t *sentence);
