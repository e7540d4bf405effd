#ifndef LOBBY_TABLES_TABLES_H
#define LOBBY_TABLES_TABLES_H

#include "lobby/house/house_state.h"

/* Tables as such: finding, keeping, counting. What happens at them is in the table_*.c files. */

struct table *table_find(struct house *house, int64_t id);

/* A table in memory for a stored row. NULL when this program does not know its game or options. */
struct table *table_load(struct house *house, const struct storage_table *row);

/* What the house is doing while it is at that table: a fault met meanwhile costs the table. */
struct doing table_doing(int64_t id);

/* stored_or_fail for what a table needs: a fault closes it. */
void stored_of_table(struct house *house, const struct table *table, enum storage_result result);

/* Writes the row and its seats. */
void table_save(struct house *house, struct table *table);

/* Releases the memory alone. */
void table_free(struct house *house, struct table *table);

/* What is to be told with this turn: the lobby's row and the `table` message; the `view`. */
void table_changed(struct house *house, struct table *table);
void table_view_changed(struct house *house, struct table *table);

/* Every person who holds a seat here is told which tables are theirs, and the lobby whose turn. */
void table_mine_changed(struct house *house, struct table *table);

/* The lobby's row of whoever holds this seat says something else now: they sat down, or are about
 * to lose the seat. */
void table_holder_changed(struct house *house, const struct table *table, int seat);

/* The person's seat, -1 without one; the first empty one, -1 when all are taken. */
int table_seat_of(const struct table *table, const struct person *person);
int table_free_seat(const struct table *table);

/* Seats that may act, bit by bit; 0 when no game is on. */
uint8_t table_turn(const struct table *table);

/* True when the game goes on as soon as this seat's holder moves: no halt, no bot in between. */
bool table_waits_for(const struct table *table, int seat);

/* Seats held by people (or else by bots). */
int table_count(const struct table *table, bool is_people);

/* True when this connection, of all its person's here, stands for a watcher: a person without a
 * seat is counted once. */
bool table_is_watcher(const struct table *table, const struct conn *conn);
int table_watcher_count(const struct table *table);

/* One line for everybody who is here or has a seat here, wherever they are. */
void table_tell_people(struct house *house, const struct table *table, const char *text);

/* The person holding this seat when they have a connection, NULL otherwise. */
struct person *table_holder(const struct house *house, const struct table *table, int seat);

/* True when the person has entered this table with some connection. */
bool table_is_here(const struct table *table, const struct person *person);

/* The clock it is set up with, and whether that is days: then nobody has to be here. */
struct clock_rule table_rule(const struct table *table);
bool table_is_by_turns(const struct table *table);

/* The phase that rows show. */
enum table_phase table_phase(const struct table *table);
bool table_is_playing(const struct table *table);

/* "#7" and the game's title: as it is called in lines for people. */
#define TABLE_TITLE_MAX 80
void table_title(const struct table *table, char out[TABLE_TITLE_MAX]);

/* Whether it watches its table unseen. */
bool table_is_observed_by(const struct conn *conn) MUST_CHECK;

/* Some table asks something else now, or somebody has another rating. */
void table_fits_changed(struct house *house);

#endif
