#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/reports.h"

/* Lets moderation commands impose and end sanctions. */

/* Imposes the sanction that the order describes, and tells the people it applies to. A mute, a
 * suspension or a ban from rated games replaces earlier ones against the same target, but for those
 * that somebody of a higher role imposed. Adds a line for each that is replaced or stays. Returns
 * the number of the new sanction. */
int64_t sanction_impose(struct order *order, enum storage_sanction_kind kind, uint32_t scopes);

/* Ends all sanctions of that kind in force against the order's target; for a guest, under any of
 * their guest names. Adds a line for each. Refuses the order and returns false when there are none,
 * or when somebody of a higher role imposed one of them. */
bool sanction_lift_all_of_kind(struct order *order, enum storage_sanction_kind kind) MUST_CHECK;

/* Ends the appealed sanction and all others of its kind against the same name or against who
 * appeals, so that the appeal has its effect. Adds a line for each. Refuses the order and returns
 * false when somebody of a higher role imposed one of them. */
bool sanction_lift_appealed(struct order *order, const struct storage_sanction *appealed,
                            const struct storage_report *appeal) MUST_CHECK;

/* Adds a line for each sanction that is in force against the account, or (0) the guest of that
 * name. */
void sanction_add_lines_in_force(struct order *order, int64_t account, const char *name);
