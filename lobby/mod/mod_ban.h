#ifndef LOBBY_MOD_MOD_BAN_H
#define LOBBY_MOD_MOD_BAN_H

#include "lobby/sanctions/order.h"

/* Bans the order's target for the given time and reports it. Asks for confirmation first when the
 * ban affects several people. */
void sanction_ban(struct order *order);

#endif
