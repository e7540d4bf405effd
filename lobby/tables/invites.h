#pragma once

#include "lobby/tables/tables_state.h"

/* Invitations to a table. An invited person may enter a locked table and need not meet its
 * requirements. An invitation ends after INVITE_MS, when it is declined, or when the table closes.
 * A person has only their newest invitation; it survives a lost connection and a restart of the
 * core. */

#define INVITE_MS 300000

bool invites_person_is_invited(const struct house *house, const struct person *person,
                               const struct table *table);

/* Sends the invitations to this table again, because another person became host or the host was
 * renamed. */
void invites_resend_for_new_host(struct house *house, const struct table *table);

/* Ends all invitations to the table, because it closes. */
void invites_end_all_to_table(struct house *house, const struct table *table);

/* Invites the person. If they ignore the host or refuse to play with the host, nothing happens and
 * neither of them is told. */
void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person);
