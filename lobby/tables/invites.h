#pragma once

#include "lobby/tables/tables_state.h"

/* Invitations to a table. They open its lock and lift its requirements. They end after INVITE_MS,
 * when they are declined, or when the table closes. A person has only one, the newest; it survives
 * the connection and the core. */

#define INVITE_MS 300000

bool invites_is_invited(const struct house *house, const struct person *person,
                        const struct table *table);

/* The table's host, or the host's name, has changed: tells everybody who is invited there. */
void invites_resend_for_new_host(struct house *house, const struct table *table);

/* The table closes: ends all invitations to it. */
void invites_end_all_to_table(struct house *house, const struct table *table);

/* The host invites a person. If the person ignores or refuses to play with the host, neither of
 * them is told. */
void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person);
