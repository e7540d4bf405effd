#ifndef LOBBY_SANCTIONS_SANCTION_ORDER_H
#define LOBBY_SANCTIONS_SANCTION_ORDER_H

#include "lobby/sanctions/order.h"

/* Sanctions that an order begins and ends. */

/* Puts what the order says in force; tells its person, if here. Gives its number. */
int64_t sanction_begin(struct order *order, enum storage_sanction_kind kind, uint32_t scopes);

/* Ends all of that kind in force against the order's target, of a guest whatever their name was
 * then, and gives how many that were; refuses when somebody above decided one of them. */
size_t sanction_lift_all(struct order *order, enum storage_sanction_kind kind) MUST_CHECK;

/* The same; false, and refused, without any. */
bool sanction_lift(struct order *order, enum storage_sanction_kind kind) MUST_CHECK;

/* Ends this one, in force, and tells its person. */
void sanction_end(struct order *order, const struct storage_sanction *sanction);

#endif
