#pragma once

#include "lobby/sanctions/order.h"

/* Takes all seats from the order's target, who may be in the house or not, and from suspended
 * people in the house. In a running game a bot takes over, as when somebody leaves for good. */
void mod_kick_from_all_seats(struct order *order);
