#pragma once

#include "lobby/sanctions/order.h"

/* Held accounts, whose owners play but cannot talk and are not listed. The caller of hold_account
 * also begins a sanction, which records the hold and follows the owner to other names;
 * hold_release_account ends the hold and the sanction. */

/* Holds the account that is the order's target. Refuses the order and returns false when somebody
 * of a higher role already holds it. */
bool hold_account(struct order *order) MUST_CHECK;

/* Releases a held account. Refuses the order and returns false when somebody of a higher role than
 * the requester holds it. */
bool hold_release_account(struct order *order, const struct storage_account *account) MUST_CHECK;
