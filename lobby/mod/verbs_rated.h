#ifndef LOBBY_MOD_VERBS_RATED_H
#define LOBBY_MOD_VERBS_RATED_H

#include "lobby/sanctions/order.h"

/* Tells everybody in the house who has a line in the finished game's scores. */
void rated_players_tell(struct order *order, int64_t game, const char *words);

/* False, and the order is refused, when whoever gives it has a line there: nobody decides a game of
 * their own. The owner has no account. */
bool rated_players_are_others(struct order *order, int64_t game) MUST_CHECK;

#endif
