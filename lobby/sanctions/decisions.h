#ifndef LOBBY_SANCTIONS_DECISIONS_H
#define LOBBY_SANCTIONS_DECISIONS_H

#include "lobby/sanctions/order.h"
#include "storage/mod/decisions.h"

/* What somebody of a higher role decided, nobody of a lower one lifts or changes. Sanctions keep
 * who decided them; these functions keep it for everything else (storage/mod/decisions.h). */

/* Refuses with `role` and answers false when somebody above who asks decided it. */
bool decision_may_change(struct order *order, uint8_t by_role, const char *by_name) MUST_CHECK;

/* The same for what is kept as a decision; true without one. */
bool decision_is_theirs(struct order *order, enum storage_decision_kind kind,
                        const char *name) MUST_CHECK;

/* From now on it is the decision of who asks; or nobody's any more. */
void decision_take(struct order *order, enum storage_decision_kind kind, const char *name);
void decision_drop(struct house *house, enum storage_decision_kind kind, const char *name);

/* An account's number as a decision's name. */
#define DECISION_ACCOUNT_SIZE 24
void decision_account(int64_t account, char name[DECISION_ACCOUNT_SIZE]);

#endif
