#ifndef LOBBY_SANCTIONS_AUDIT_H
#define LOBBY_SANCTIONS_AUDIT_H

#include "lobby/sanctions/order.h"
#include "storage/mod/audit.h"

/* The audit log's rows (MODERATION.md), written in the transaction of what they tell of. Whoever
 * may cause one is asked for room first (audit_pace.h). */

/* Over what somebody asks for something: "tui", "exec" (a line of ssh's own), "api", "system" (a
 * shell on the server). */
const char *audit_via(const struct conn *conn);

/* The row of an order that has been carried out or refused. */
void audit_order(struct order *order);

/* Something the house did by itself. `row` needs what is particular; time and actor are set. */
void audit_house(struct house *house, const struct storage_audit *row);

/* Something done over `conn` by a message of its own rather than by a line. */
void audit_message(struct house *house, const struct conn *conn, struct storage_audit row);

/* Something that ends later than it was asked for: who asks, and the row once it is known how it
 * ended; `row` has its result. */
void audit_source_of(const struct conn *conn, const char *via, struct audit_source *source);
void audit_later(struct house *house, const struct audit_source *source, struct storage_audit row);

#endif
