#ifndef LOBBY_MOD_VERBS_KICK_H
#define LOBBY_MOD_VERBS_KICK_H

#include "lobby/sanctions/order.h"

/* Takes all seats of the target, in the house or not, and of everybody here who may not sit: a game
 * goes on with a bot there, as when somebody leaves for good. */
void sanction_stand_up(struct order *order);

#endif
