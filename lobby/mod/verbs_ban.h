#ifndef LOBBY_MOD_VERBS_BAN_H
#define LOBBY_MOD_VERBS_BAN_H

#include "lobby/sanctions/order.h"

/* Bans the order's target for its time, asking first when that meets several people; says what was
 * done. */
void sanction_ban(struct order *order);

#endif
