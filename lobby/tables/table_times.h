#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Time limits at tables: when a turn passes to a bot, what that costs, and how clocks survive a
 * restart. The arithmetic is in table_clock.h.
 *
 * Live games (time per move, or a bank) and games without a clock: when a player's time runs out, a
 * bot makes one move. After TIMES_MISSES_LIVE timeouts in a row, or if the player has lost the
 * connection, the bot plays until the player is back. A lost connection stops no clock, but once a
 * game the seat waits at least absent_grace_s for it.
 *
 * Turn-by-turn games: the first missed deadline costs one move, made by a bot; the next one in a
 * row gives the seat to the bot until the player is back. Days away never cascade
 * (table_respite.h).
 */
#define TIMES_MISSES_LIVE 3
#define TIMES_MISSES_DAYS 2
#define TIMES_RETURN_MS                                                                            \
    INT64_C(10000) /* the minimum for a player who returns in time for their turn, once */

/* Reads the quiet hours and vacations of everybody who sits here. */
void table_times_read_players(struct house *house, struct table *table);

/* Reads them again for one player at all tables, after a change. */
void table_times_reread_player(struct house *house, int64_t account);

/* The seat of a player in the current game; -1: none. */
int table_times_find_seat(const struct table *table, int64_t account);

/* When the turn of the person on this seat, which is to act, passes to a bot. INT64_MAX: never,
 * unless something changes. */
int64_t table_times_timeout_ms(const struct house *house, const struct table *table, int seat);

/* The turn passes to the bot: it makes this move, or plays until the holder is back. */
void table_times_time_out(struct house *house, struct table *table, int seat);

/* The holder is back; was_absent: a bot has played for them. */
void table_times_player_returned(struct house *house, struct table *table, int seat,
                                 bool was_absent);

/* The holder has made this move themselves: clears their missed turns. */
void table_times_player_moved(struct house *house, struct table *table, int seat);

/* This seat's clock has changed: marks it for storing with this turn. */
void table_times_mark_changed(struct house *house, struct table *table, int seat);

/* Called before a commit: stores the changed clocks. */
void table_times_flush(struct house *house);

/* Loads the stored clocks of a replayed table. gone_ms becomes the time when each holder's last
 * connection ended, 0 for a holder who was connected. */
void table_times_restore(struct house *house, struct table *table);

/* The house was down since from_ms: charges that time to nobody. */
void table_times_skip_downtime(struct house *house, struct table *table, int64_t from_ms);
