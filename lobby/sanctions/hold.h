#pragma once

#include "lobby/sanctions/order.h"

/* Held accounts. The caller begins the sanction that records the hold and follows the owner;
 * hold_end ends it. */

/* Holds the order's target, an account. False, with the order refused, when somebody of a higher
 * role holds it already. */
bool hold_begin(struct order *order) MUST_CHECK;

/* Releases a held account. False, with the order refused, when somebody of a higher role than the
 * requester holds it. */
bool hold_end(struct order *order, const struct storage_account *account) MUST_CHECK;
