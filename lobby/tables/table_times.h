#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Time limits at tables: when a turn passes to a bot, what that costs, and how clocks survive a
 * restart. The arithmetic is in table_clock.h.
 *
 * Live games (time per move, or a bank) and games without a clock: when a player's time runs out, a
 * bot makes one move. After TIMES_MISSES_LIVE timeouts in a row, or if the player has lost the
 * connection, the bot plays until the player is back. A lost connection stops no clock, but once
 * in each game the table waits at least absent_grace_s for the player to reconnect.
 *
 * Turn-by-turn games: the first missed deadline costs one move, made by a bot; the next one in a
 * row gives the seat to the bot until the player is back. An absence of several days costs one move
 * in total, not one at every table (table_respite.h).
 */
#define TIMES_MISSES_LIVE 3
#define TIMES_MISSES_DAYS 2
/* The least time to move that a player gets who returns during their turn; once in each game. */
#define TIMES_RETURN_MS INT64_C(10000)

/* Reads the times off (quiet hours, vacation and respite) of all players at the table. */
void table_times_read_time_off(struct house *house, struct table *table);

/* Reads the times off of one player again after a change, for all tables where the player has a
 * seat. */
void table_times_reread_time_off(struct house *house, int64_t account);

/* Returns the account's seat in the current game; -1: none. */
int table_times_find_seat(const struct table *table, int64_t account);

/* Returns when the turn of this seat's player passes to a bot. INT64_MAX: never, unless something
 * changes. */
int64_t table_times_timeout_at_ms(const struct house *house, const struct table *table, int seat);

/* After a timeout, lets a bot play for this seat: for one move, or until the player is back. */
void table_times_let_bot_play(struct house *house, struct table *table, int seat);

/* Gives the turn back to a player who has returned. was_absent: a bot has played for the player. */
void table_times_note_player_returned(struct house *house, struct table *table, int seat,
                                      bool was_absent);

/* After a player's own move, sets the number of missed turns to 0 and ends the player's respite
 * from deadlines. */
void table_times_note_move_by_player(struct house *house, struct table *table, int seat);

/* Marks this seat's clock to be stored before the next commit. */
void table_times_mark_clock_changed(struct house *house, struct table *table, int seat);

/* Stores the changed clocks. Called before a commit. */
void table_times_store_changes(struct house *house);

/* Loads the stored clocks of a table whose game has been replayed. Sets gone_ms of each seat to the
 * time when the player's last connection ended; 0: the player was connected. */
void table_times_load_stored_clocks(struct house *house, struct table *table);

/* Makes sure that the downtime of the house since from_ms is charged to no player at this table. */
void table_times_skip_downtime(struct house *house, struct table *table, int64_t from_ms);
