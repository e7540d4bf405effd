#pragma once

#include "lobby/tables/tables_state.h"

/* Invitations to a table. They open its lock and lift its requirements. They end after INVITE_MS,
 * when they are declined, or when the table closes. A person has only one, the newest; it survives
 * the connection and the core. */

#define INVITE_MS 300000

bool invites_is_invited(const struct house *house, const struct person *person,
                        const struct table *table);

/* Sends the invitations to this table again, because its host or the host's name has changed. */
void invites_resend_for_new_host(struct house *house, const struct table *table);

/* Ends all invitations to the table, because it closes. */
void invites_end_all_to_table(struct house *house, const struct table *table);

/* Invites the person. If they ignore the host or refuse to play with them, nothing happens and
 * neither is told. */
void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person);
