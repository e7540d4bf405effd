#pragma once

#include "lobby/tables/tables_state.h"

/* Tables in general: finding, storing, counting. Events at tables are in the table_*.c files. */

struct table *table_find(struct house *house, int64_t id);

/* Builds a table in memory from a stored row. NULL when this program does not know its game or
 * options. */
struct table *table_load(struct house *house, const struct storage_table *row);

/* Names the table as the work in progress: a fault during it costs the table. */
struct doing table_doing(int64_t id);

/* stored_or_fail for a table's data: a fault closes the table. */
void table_check_stored(struct house *house, const struct table *table, enum storage_result result);

/* Stores the row and its seats. */
void table_save(struct house *house, struct table *table);

/* Releases the memory only. */
void table_free(struct house *house, struct table *table);

/* Marks for sending with this turn: the lobby row and the `table` message; the `view`. */
void table_mark_changed(struct house *house, struct table *table);
void table_mark_view_changed(struct house *house, struct table *table);

/* Tells everybody with a seat here which tables are theirs, and the lobby whose turn it is. */
void table_mark_turns_changed(struct house *house, struct table *table);

/* The lobby row of this seat's holder has changed: they have sat down, or are about to lose the
 * seat. */
void table_mark_holder_changed(struct house *house, const struct table *table, int seat);

/* The person's seat, -1 without one; the first empty one, -1 when all are taken. */
int table_seat_of(const struct table *table, const struct person *person);
int table_first_free_seat(const struct table *table);

/* A bit for each seat that may act; 0 when no game is on. */
uint8_t table_seats_on_turn(const struct table *table);

/* True when the game waits only for a move by this seat's holder: there is no halt, and no bot has
 * to act. */
bool table_waits_for_seat(const struct table *table, int seat);

/* The number of seats held by people, or those held by bots. */
int table_count(const struct table *table, bool is_people);

/* True when this is the one of its person's connections here that counts as a spectator: a person
 * without a seat is counted once. */
bool table_counts_as_spectator(const struct table *table, const struct conn *conn);
int table_count_spectators(const struct table *table);

/* Sends one line to everybody who is here or has a seat here, wherever they are. */
void table_notify_people(struct house *house, const struct table *table, json_t *sentence);

/* The person who holds this seat, if connected; otherwise NULL. */
struct person *table_connected_holder(const struct house *house, const struct table *table,
                                      int seat);

/* True when the person has entered this table with any connection. */
bool table_is_entered_by(const struct table *table, const struct person *person);

/* The table's clock, and whether it counts in days, so that nobody has to be here. */
struct clock_rule table_clock_rule(const struct table *table);
bool table_is_turn_by_turn(const struct table *table);

/* The phase that rows show. */
enum table_phase table_phase(const struct table *table);
bool table_is_playing(const struct table *table);

/* "#7" and the game's title, as the table is called in lines for people. */
#define TABLE_TITLE_MAX 80
void *table_title(const struct table *table);

/* True when this connection observes its table unseen (observing.h). */
bool conn_is_observing(const struct conn *conn) MUST_CHECK;

/* Some table's requirements, or somebody's rating, have changed. */
void tables_mark_eligibility(struct house *house);

/* The table this person is at; with several connections, the one entered last. NULL: none. */
const struct table *person_table(const struct person *person);
