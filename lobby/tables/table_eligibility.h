#pragma once

#include "lobby/protocol/eligibility.h"
#include "lobby/tables/tables_state.h"

/*
 * Eligibility: whom a table admits. Each person is sent the list of tables that do not admit them
 * (`unfit`), so that their lists leave those out; a person who asks is told why.
 */

struct eligibility table_eligibility_rule(const struct table *table);

/* True when the person meets the table's requirements, is its host or was invited, and nobody there
 * is to be kept apart from them. Otherwise *why, unless `why` is NULL, says what they have and what
 * is required, or that there is no seat for them: a sentence of say.h, for the caller to own. */
bool table_eligibility_admits(struct house *house, const struct table *table, struct person *person,
                              json_t **why);

/* Pushes `unfit`, the open tables that do not admit this connection's person. The second pushes it
 * to everybody whose list has changed. */
void table_eligibility_flush(struct house *house);

/* Announces a new table with requirements to everybody it admits who is free and does not ignore
 * its host. */
void table_eligibility_offer_table(struct house *house, const struct table *table,
                                   json_t *sentence);
