#pragma once

#include "lobby/sanctions/order.h"

/* Held accounts: their owners can play, but cannot talk, and leaderboards do not list them. The
 * caller of hold_account must also impose a sanction. The sanction records the hold, and applies
 * under the owner's other names too. hold_release_account ends the hold and the sanction. */

/* Holds the account that is the order's target. Refuses the order and returns false when somebody
 * with a higher role than the requester has already held the account. */
bool hold_account(struct order *order) MUST_CHECK;

/* Releases a held account. Refuses the order and returns false when somebody of a higher role than
 * the requester holds it. */
bool hold_release_account(struct order *order, const struct storage_account *account) MUST_CHECK;
