#pragma once

#include "lobby/sanctions/audit_source.h"
#include "lobby/sanctions/order.h"
#include "storage/mod/audit.h"

/* Rows of the audit log. A row is written in the transaction of what it records.
 * Requests that may cause one check the rate limit first (audit_pace.h). */

/* The way a request came in: "tui", "exec" (a command line of ssh), "api", "system" (a shell on the
 * server). */
const char *audit_via(const struct conn *conn);

/* Writes the row of an order that was carried out or refused. */
void audit_order(struct order *order);

/* Records something the house did by itself. `row` holds the specifics; time and actor are filled
 * in. */
void audit_house(struct house *house, const struct storage_audit *row);

/* Records something done by a message of its own over `conn`, not by a command line. */
void audit_message(struct house *house, const struct conn *conn, struct storage_audit row);

/* For actions that end later: remembers who asked, then writes the row once the result is known;
 * `row` holds the result. */
void audit_source_of(const struct conn *conn, const char *via, struct audit_source *source);
void audit_later(struct house *house, const struct audit_source *source, struct storage_audit row);
