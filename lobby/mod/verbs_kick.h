#ifndef LOBBY_MOD_VERBS_KICK_H
#define LOBBY_MOD_VERBS_KICK_H

#include "lobby/sanctions/order.h"

/* Removes the target, in the house or not, and everybody here who is suspended from all their
 * seats. In a running game a bot takes over, as when somebody leaves for good. */
void sanction_stand_up(struct order *order);

#endif
