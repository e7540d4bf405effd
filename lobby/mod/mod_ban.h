#pragma once

#include "lobby/sanctions/order.h"

/* Bans the order's target for the order's duration. Asks for confirmation first when the ban
 * affects several people. */
void mod_ban_target(struct order *order);

/* Asks for confirmation if a sanction against the order's target, an account or a guest, affects
 * several people who are in the house: those who share its sources (person_sources.h). Returns
 * false if it asks. */
bool mod_ban_confirm_affected(struct order *order) MUST_CHECK;
