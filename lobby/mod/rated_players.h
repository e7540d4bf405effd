#ifndef LOBBY_MOD_RATED_PLAYERS_H
#define LOBBY_MOD_RATED_PLAYERS_H

#include "lobby/mod/order.h"

/* Tells everybody in the house who has a line in the finished game's scores. */
void rated_players_tell(struct order *order, int64_t game, const char *words);

#endif
