#ifndef LOBBY_TABLES_TABLE_WATCH_H
#define LOBBY_TABLES_TABLE_WATCH_H

#include "lobby/house/house_state.h"
#include "lobby/protocol/watch_rule.h"

/*
 * Who may watch a table's game, and how much of it they know. With a delay, all that people without
 * a seat are told of the course of the game (views, sheet, the round in the lobby's row, what the
 * players and the house say at the table) is a function of an earlier step, and leaves only when
 * that step changes: neither a message nor its moment tells anything of the moves since. Clocks,
 * and for whom a bot plays, they are not told at all. When the game is over they know everything.
 */

/* How the table is set up. */
struct watch_rule table_watch_rule(const struct table *table);

/* True when this person, who has no seat here, may look on now. Before the start everybody may, or
 * nobody could sit down. */
bool table_watch_allows(struct house *house, const struct table *table,
                        const struct person *person);

/* True while watchers know less than the players. */
bool table_watch_is_delayed(const struct table *table);

/* A new game: nothing is known of it. */
void table_watch_begin(struct table *table);

/* The table's last move was made at that time; is_new_round: it was a round's last. */
void table_watch_moved(struct table *table, int64_t at_ms, bool is_new_round);

/* Brings what watchers know up to what they may know now. With a house they are told what was said
 * meanwhile; NULL while a table is restored. */
void table_watch_advance(struct house *house, struct table *table);

/* The state that watchers know. */
const struct game_state *table_watch_state(const struct table *table);

/* True when this person would speak as a watcher: without a seat, while a game is on. */
bool table_watch_is_speaker(const struct table *table, const struct person *person);

/* True when what watchers are told is for this connection, at the table: it has no seat, and does
 * not keep order there unseen. */
bool table_watch_is_watcher(const struct table *table, const struct conn *conn) MUST_CHECK;

/* True while this connection, at the table, knows less than the players. */
bool table_watch_is_behind(const struct table *table, const struct conn *conn) MUST_CHECK;

/* Whether a line of the table is for this connection now; at_ms: when it was said, INT64_MAX: now.
 */
bool table_watch_hears(const struct table *table, const struct conn *conn, int64_t at_ms,
                       bool is_by_watcher);

#endif
