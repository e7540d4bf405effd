#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/decisions.h"

/* A decision cannot be lifted or changed by somebody of a lower role than its maker. Sanctions
 * store their own maker; these functions store it for everything else (storage/mod/decisions.h). */

/* False, with the order refused as `role`, when the maker of the decision has a higher role than
 * the requester. */
bool decision_rank_suffices(struct order *order, uint8_t by_role, const char *by_name) MUST_CHECK;

/* The same for the stored decision of that name; true when there is none. */
bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind,
                             const char *name) MUST_CHECK;

/* decision_store makes the requester the maker of the decision; decision_remove forgets it. */
void decision_store(struct order *order, enum storage_decision_kind kind, const char *name);
void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name);

/* Writes the name of a decision about an account. */
#define DECISION_ACCOUNT_SIZE 24
void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE]);
