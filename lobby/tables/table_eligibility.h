#pragma once

#include "lobby/protocol/eligibility.h"
#include "lobby/tables/tables_state.h"

/*
 * Eligibility: whom a table admits. Whoever follows the whole lobby is sent the list of tables that
 * do not admit them (`unfit`), so that clients can hide those tables.
 */

struct eligibility table_eligibility_rule(const struct table *table);

/* True when the table admits the person: they meet the table's requirements (or are its host, or
 * were invited), and no block forbids them to play with people at the table. Otherwise *why (unless
 * `why` is NULL) is set to the reason: a sentence (say.h), which the caller owns. */
bool table_eligibility_admits(struct house *house, const struct table *table, struct person *person,
                              json_t **why);

/* Sends the message `unfit` to each person who follows the whole lobby if the list of tables that
 * do not admit the person has changed. */
void table_eligibility_send_changes(struct house *house);

/* Announces a new table that has requirements to everybody whom the table admits, who is not at a
 * table, and who does not ignore the table's host. */
void table_eligibility_announce_to_admitted(struct house *house, const struct table *table,
                                            json_t *sentence);
