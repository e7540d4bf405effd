#pragma once

#include "lobby/sanctions/order.h"

/* Bans the order's target for the given time and reports it. Asks for confirmation first when the
 * ban affects several people. */
void sanction_ban(struct order *order);
