#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/decisions.h"

/* A decision cannot be lifted or changed by somebody of a lower role than its maker. Sanctions
 * store their own maker; these functions store it for everything else (storage/mod/decisions.h). */

/* False, with the order refused as `role`, when the decision was made by somebody of a higher role
 * than the requester. */
bool decision_may_change(struct order *order, uint8_t by_role, const char *by_name) MUST_CHECK;

/* The same for a stored decision; true when there is none. */
bool decision_is_theirs(struct order *order, enum storage_decision_kind kind,
                        const char *name) MUST_CHECK;

/* Makes the requester the owner of the decision; or removes the decision. */
void decision_take(struct order *order, enum storage_decision_kind kind, const char *name);
void decision_drop(struct house *house, enum storage_decision_kind kind, const char *name);

/* An account's number as the name of a decision. */
#define DECISION_ACCOUNT_SIZE 24
void decision_account(int64_t account, char name[DECISION_ACCOUNT_SIZE]);
