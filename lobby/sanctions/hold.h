#ifndef LOBBY_SANCTIONS_HOLD_H
#define LOBBY_SANCTIONS_HOLD_H

#include "lobby/sanctions/order.h"

/* Accounts that are held. The sanction that says so, and follows their owner, is the caller's to
 * begin; its end is here. */

/* Holds the order's target, an account; false, and refused, when somebody above holds it. */
bool hold_begin(struct order *order) MUST_CHECK;

/* Releases a held account; false, and refused, when somebody above who asks holds it. */
bool hold_end(struct order *order, const struct storage_account *account) MUST_CHECK;

#endif
