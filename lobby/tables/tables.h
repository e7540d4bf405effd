#pragma once

#include "lobby/tables/tables_state.h"

/* Finds, loads, stores and describes tables. */

struct table *table_find(struct house *house, int64_t id);

/* Builds a table in memory from a stored row. NULL when this program does not know its game or
 * options. */
struct table *table_load(struct house *house, const struct storage_table *row);

/* Handles the result of storing or reading a table's data: an error closes the table. */
void table_check_storage_result(struct house *house, const struct table *table,
                                enum storage_result result);

/* Stores the table's row with its seats. */
void table_save(struct house *house, struct table *table);

/* Frees the table's memory; the stored table stays. */
void table_free(struct house *house, struct table *table);

/* Mark what has changed at the table, so that it is sent at the next commit: the lobby row and the
 * message `table`, or only the message `view`. */
void table_mark_changed(struct house *house, struct table *table);
void table_mark_view_changed(struct house *house, struct table *table);

/* Tells the listeners that another player's turn has begun, and marks the list `mine` of everybody
 * seated at the table, so that it is sent again. */
void table_mark_turns_changed(struct house *house, struct table *table);

/* Marks the lobby row of the player on this seat, so that it is sent again: the player has just sat
 * down, or is about to lose the seat. */
void table_mark_holder_changed(struct house *house, const struct table *table, int seat);

/* table_seat_of returns the person's seat, table_first_free_seat the first empty one; -1: none. */
int table_seat_of(const struct table *table, const struct person *person);
int table_first_free_seat(const struct table *table);

/* Returns one bit for each seat that may act; 0 when no game is being played. */
uint8_t table_seats_on_turn(const struct table *table);

/* True when the game waits for a move by the player on this seat: there is no halt, and no bot
 * plays for the player. */
bool table_waits_for_seat(const struct table *table, int seat);

/* Returns one bit for each seat whose holder is at the table and sees the stop between two rounds:
 * a person for whom no bot plays. Programs do not count, unless their `hello` says that they show
 * stops. */
uint8_t table_seats_that_see_stop(const struct house *house, const struct table *table);

/* Returns one bit for each seat for whose holder the stop between two rounds still waits. */
uint8_t table_seats_awaited_at_stop(const struct house *house, const struct table *table);

/* True when this connection shows the stop between two rounds. */
bool conn_sees_stop(const struct conn *conn) MUST_CHECK;

/* Return how many seats are taken: table_count_seated_people by people, table_count_taken_seats by
 * people or bots. */
int table_count_seated_people(const struct table *table);
int table_count_taken_seats(const struct table *table);

/* True when this connection is counted as a spectator. A person without a seat is counted once,
 * whatever the number of their connections. */
bool table_counts_conn_as_spectator(const struct table *table, const struct conn *conn);
int table_count_spectators(const struct table *table);

/* Sends a notice to everybody who is at the table or has a seat there. */
void table_notify_people(struct house *house, const struct table *table, json_t *sentence);

/* Returns the person who holds this seat, if connected; otherwise NULL. */
struct person *table_connected_holder(const struct house *house, const struct table *table,
                                      int seat);

/* True when the person has entered this table with any connection. */
bool table_is_entered_by(const struct table *table, const struct person *person);

/* Return the rule of the table's clock, and whether the clock gives players days for a move. */
struct clock_rule table_clock_rule(const struct table *table);
bool table_is_turn_by_turn(const struct table *table);

/* Returns the phase of the table that lobby rows show. */
enum table_phase table_phase(const struct table *table);
bool table_is_playing(const struct table *table);

/* Returns "#7" and the game's title, as people name the table: an argument of %p (say.h). */
#define TABLE_TITLE_MAX 80
void *table_title(const struct table *table);

/* True when this connection observes a table unseen (observing.h). */
bool conn_is_observing(const struct conn *conn) MUST_CHECK;

/* Returns the earliest time that `next_ms` returns for a table, INT64_MAX if there is no table. */
int64_t tables_next_ms(const struct house *house,
                       int64_t (*next_ms)(const struct house *house, const struct table *table));

/* Records that a table's requirements or a person's rating have changed, so that eligibility is
 * computed again. */
void tables_mark_eligibility_changed(struct house *house);

/* Returns the table that this person has entered; with several connections, the last table entered.
 * NULL: none. */
const struct table *person_find_entered_table(const struct person *person);
