#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/decisions.h"

/* Nobody can lift or change a decision of somebody with a higher role. A sanction stores who
 * imposed it. These functions store who made any other decision (storage/mod/decisions.h). */

/* True when the requester's role is not lower than the role of whoever made the decision; otherwise
 * refuses the order with the code `role`. */
bool decision_requester_may_overrule(struct order *order, uint8_t decider_role,
                                     const char *decider_name) MUST_CHECK;

/* True when no decision of that name is stored, or when the requester may change it; otherwise
 * refuses the order with the code `role`. */
bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind,
                             const char *name) MUST_CHECK;

/* decision_store records that the requester made the decision; decision_remove deletes that
 * record. */
void decision_store(struct order *order, enum storage_decision_kind kind, const char *name);
void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name);

/* Writes the name under which a decision about an account is stored. */
#define DECISION_ACCOUNT_SIZE 24
void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE]);
