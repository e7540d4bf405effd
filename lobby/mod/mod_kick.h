#pragma once

#include "lobby/sanctions/order.h"

/* Takes all seats from the order's target, who may be in the house or not, and from everybody here
 * who may not sit. In a running game a bot takes over, as when somebody leaves for good. */
void sanction_stand_up(struct order *order);
