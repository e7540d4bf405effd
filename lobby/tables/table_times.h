#ifndef LOBBY_TABLES_TABLE_TIMES_H
#define LOBBY_TABLES_TABLE_TIMES_H

#include "lobby/house/house_state.h"

/*
 * The time that people have at tables: when a turn passes to a bot, what that costs, and keeping
 * the clocks over a restart. The arithmetic is table_clock.h's.
 *
 * Live (a move's time, a bank) and without a clock: who runs out of time has one move made by a
 * bot; after TIMES_MISSES_LIVE in a row, or when they have lost the connection, the bot plays until
 * they are back. A lost connection stops nobody's clock, but once a game the seat waits at least
 * absent_grace_s for it.
 *
 * Turn by turn: the first deadline missed costs one move made by a bot, the next in a row gives the
 * seat to the bot until they are back. Days away never cascade (table_respite.h).
 */
#define TIMES_MISSES_LIVE 3
#define TIMES_MISSES_DAYS 2
#define TIMES_RETURN_MS                                                                            \
    INT64_C(10000) /* who comes back in time for their turn has this long, once */

/* Learns the quiet hours and vacations of all who sit here. */
void table_times_load(struct house *house, struct table *table);

/* The same for one player at all tables: they have changed. */
void table_times_reload(struct house *house, int64_t account);

/* The seat of a player in the game that is on here, -1 when there is none. */
int table_times_seat(const struct table *table, int64_t account);

/* When the turn of the person on this seat, which is to act, passes to a bot. INT64_MAX: never, as
 * things stand. */
int64_t table_times_over_ms(const struct house *house, const struct table *table, int seat);

/* It has: the bot makes this move, or plays until they are back. */
void table_times_over(struct house *house, struct table *table, int seat);

/* The holder is back: is_absent says that a bot has played for them. */
void table_times_back(struct house *house, struct table *table, int seat, bool was_absent);

/* The holder has made this move themselves: what they missed before is forgiven. */
void table_times_acted(struct house *house, struct table *table, int seat);

/* This seat's clock has changed and is to be stored with this turn. */
void table_times_changed(struct house *house, struct table *table, int seat);

/* Before a commit: stores the clocks that changed. */
void table_times_flush(struct house *house);

/* Takes over the stored clocks of a table that was replayed; gone_ms becomes when each holder's
 * last connection ended, 0 for who was in. */
void table_times_restore(struct house *house, struct table *table);

/* The time since from_ms, at which the house was not there, counts for nobody. */
void table_times_skip(struct house *house, struct table *table, int64_t from_ms);

#endif
