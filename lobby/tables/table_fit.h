#ifndef LOBBY_TABLES_TABLE_FIT_H
#define LOBBY_TABLES_TABLE_FIT_H

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"
#include "lobby/protocol/fit_rule.h"

/*
 * Whom a table takes. Those whom it does not take are told which ones these are (`unfit`), so that
 * their lists leave them out; whoever asks why is told.
 */

struct fit_rule table_fit_rule(const struct table *table);

/* True when the person has what the table asks for, is its host, or was invited, and is not to be
 * kept apart from somebody there; else `why` says what they have and what it would take, or that
 * there is no seat for them. */
bool table_fit_takes(struct house *house, const struct table *table, struct person *person,
                     char why[WORDS_MAX]);

/* What is known of the person's ratings is read anew when it is needed. */
void table_fit_forget(struct person *person);

/* Pushes `unfit`, the open tables that do not take this connection's person; to all whose tables
 * have changed. */
void table_fit_tell(struct house *house, const struct conn *conn);
void table_fits_flush(struct house *house);

/* Tells a new table that asks something to all it takes who are free and hear its host. */
void table_fit_offer(struct house *house, const struct table *table, const char *words);

#endif
