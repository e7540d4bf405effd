#pragma once

#include "lobby/protocol/watch_rule.h"
#include "lobby/tables/tables_state.h"

/*
 * Who may watch a table's game, and how much of it they know. With a delay, everything that people
 * without a seat are told of the game (views, sheet, the round in the lobby row, what the players
 * and the house say at the table) is a function of an earlier step, and is sent only when that step
 * changes. Steps change at the table's own beat: the moves that spectators may know when a beat
 * begins are spread evenly over it, so a message reveals of later moves only how many were made in
 * the beat before. Spectators with a delay are not told of clocks, nor for whom a bot plays. After
 * the game they know everything.
 */

#define WATCH_BEAT_MS 10000

/* Returns the table's rule for spectators. */
struct watch_rule table_watch_rule(const struct table *table);

/* True when this person, who has no seat at the table, may watch now. Before the start everybody
 * may watch, so that people can enter and sit down. */
bool table_watch_allows(struct house *house, const struct table *table,
                        const struct person *person);

/* True while spectators know less than the players. */
bool table_watch_is_delayed(const struct table *table);

/* Begins a new game, of which spectators know no move yet. */
void table_watch_begin_game(struct table *table);

/* Records a move that was made at at_ms; is_new_round: the move began a new round. */
void table_watch_note_move(struct table *table, int64_t at_ms, bool is_new_round);

/* Replays all moves that spectators may know now into the state that they see, and sends them the
 * chat that was hidden until now: when a game ends or is restored. `house` is NULL while a table is
 * restored. */
void table_watch_update_visible_state(struct house *house, struct table *table);

/* Returns the state of the game that spectators know. */
const struct game_state *table_watch_visible_state(const struct table *table);

/* True when this connection at the table gets what spectators get: its person has no seat and does
 * not observe unseen. */
bool table_watch_is_spectator(const struct table *table, const struct conn *conn) MUST_CHECK;

/* True while this connection at the table knows less than the players. */
bool table_watch_is_delayed_for(const struct table *table, const struct conn *conn) MUST_CHECK;
