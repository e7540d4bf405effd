#pragma once

#include "lobby/sanctions/order.h"

/* Bans the order's target for the order's duration. Asks for confirmation first when the ban
 * affects several people. */
void mod_ban_target(struct order *order);
