#pragma once

#include "lobby/sanctions/order.h"

/* Held accounts: their owners can play, but cannot talk, and leaderboards do not list them. The
 * caller of hold_put_account_on_hold must also impose a sanction. The sanction records the hold,
 * and applies under the owner's other names too. hold_release_account ends the hold and the
 * sanction. */

/* Puts the account that is the order's target on hold. Refuses the order and returns false when
 * somebody with a higher role than the requester has already done so. */
bool hold_put_account_on_hold(struct order *order) MUST_CHECK;

/* Releases an account on hold, and reports it to the requester. Refuses the order and returns false
 * when the account is not on hold, or when somebody with a higher role than the requester has put
 * it on hold. */
bool hold_release_account(struct order *order, const struct storage_account *account) MUST_CHECK;

/* Adds a line for each other account on hold that shares an address or a key with the order's
 * target, since releasing the target leaves these on hold. */
void hold_add_lines_of_others(struct order *order);
