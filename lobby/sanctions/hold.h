#pragma once

#include "lobby/sanctions/order.h"

/* Held accounts, which play but cannot talk and are not listed. The caller of hold_account also
 * begins a sanction, which records the hold and follows the owner; hold_release_account ends
 * both. */

/* Holds the order's target, an account. False, with the order refused, when somebody of a higher
 * role holds it already. */
bool hold_account(struct order *order) MUST_CHECK;

/* Releases a held account. False, with the order refused, when somebody of a higher role than the
 * requester holds it. */
bool hold_release_account(struct order *order, const struct storage_account *account) MUST_CHECK;
