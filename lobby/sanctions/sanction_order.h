#pragma once

#include "lobby/sanctions/order.h"

/* Lets moderation commands impose and end sanctions. */

/* Imposes the sanction that the order describes, and tells the people it applies to. Returns its
 * number. */
int64_t sanction_impose(struct order *order, enum storage_sanction_kind kind, uint32_t scopes);

/* Ends all sanctions of that kind in force against the order's target; for a guest, under any of
 * their guest names. Refuses the order and returns false when there are none, or when somebody of a
 * higher role imposed one of them. */
bool sanction_lift_all_of_kind(struct order *order, enum storage_sanction_kind kind) MUST_CHECK;

/* Ends this sanction, which is in force, and tells the person it was against. */
void sanction_end_by_order(struct order *order, const struct storage_sanction *sanction);
