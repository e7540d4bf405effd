#ifndef LOBBY_PEOPLE_LOBBY_PUSH_H
#define LOBBY_PEOPLE_LOBBY_PUSH_H

#include "lobby/house/house_state.h"

/*
 * What everybody sees of the house: rows of people and tables. Each row is kept as it was told
 * last; changed ones are gathered for PACE_LOBBY_MS and go to all as one change, so whoever comes
 * gets the rows as kept and follows with everybody else.
 */

/* Pushes all rows, the first message with `reset`: at once to who looks at the lobby, behind the
 * table to who sits or watches at one, and later when many want that (after a restart of the core
 * everybody does) and PACE_LOBBY_ROWS is used up, those at a table last. Changes are not told to a
 * connection that waits. */
void lobby_tell_all(struct house *house, struct conn *conn);

/* Nobody in is on the other end any more. */
void lobby_forget(struct house *house, struct conn *conn);

/* Pushes `mine`: the tables where this connection's person holds a seat. */
void lobby_tell_mine(struct house *house, struct conn *conn);

/* A row is to be taken out. */
void lobby_person_gone(struct house *house, const char *name);
void lobby_table_gone(struct house *house, int64_t table);

/* Before a commit: pushes the changes if it is time, every changed `mine`, and all rows to those
 * whose turn it is. */
void lobby_flush(struct house *house);

/* The same, though it is not yet time for it. */
void lobby_flush_now(struct house *house);

/* People's idle times. */
void lobby_tick(struct house *house);
int64_t lobby_next_ms(const struct house *house);

/* A table's lobby row, a new reference. */
json_t *lobby_table_row(const struct table *table);

#endif
