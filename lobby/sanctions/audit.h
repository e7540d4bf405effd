#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/audit.h"

/* Rows of the audit log. A row is written in the same transaction as the change it records.
 * Requests that may cause a row check the rate limit first (audit_limit.h). */

/* Who causes an audit row, and over which connection. The values are copies, since the connection
 * may be closed before the action ends. */
struct audit_source {
    int64_t account; /* the account; 0: a guest or the owner */
    int64_t session;
    char name[STORAGE_NAME_SIZE];
    const char *role;
    char address[STORAGE_ADDRESS_SIZE];
    char fingerprint[STORAGE_FINGERPRINT_SIZE];
    const char *via;
};

/* The interface of a request: "tui", "exec" (a command line of ssh), "api", "system" (a shell on
 * the server). */
const char *audit_interface_name(const struct conn *conn);

/* Writes the audit row of an order that was carried out or refused. */
void audit_write_order(struct order *order);

/* Records something that the house did by itself. The caller fills in `row` except for time and
 * actor. */
void audit_write_house_action(struct house *house, const struct storage_audit *row);

/* Records an action that a person took by a message other than `mod`. */
void audit_write_message_action(struct house *house, const struct conn *conn,
                                struct storage_audit row);

/* For actions that end later: audit_fill_source stores who asked for the action, and
 * audit_write_for_source writes the row once the result is known. */
void audit_fill_source(const struct conn *conn, const char *via, struct audit_source *source);
void audit_write_for_source(struct house *house, const struct audit_source *source,
                            struct storage_audit row);
