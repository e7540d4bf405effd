#pragma once

#include "storage/archive/archive.h"
#include "storage/sql/sql.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Card tables: their set-up, seats and current game. */

/* The states are stored as numbers, which never change. A table never goes back to an earlier
 * state, except for a rematch.
 *
 *     OPEN ──start──▶ PLAYING ──last move──▶ FINISHED ──rematch──▶ PLAYING
 *       └──────────────── all leave ────────────┴──▶ CLOSED
 */
enum storage_table_state {
    STORED_VALUES(STORED_TABLE_STATES, STORAGE_TABLE_)
    STORAGE_TABLE_STATE_LAST = STORED_LAST(STORED_TABLE_STATES),
};

/* Why the game in play is halted. The values are stored: they never change. */
enum storage_halt {
    STORED_VALUES(STORED_HALTS, STORAGE_HALT_) STORAGE_HALT_LAST = STORED_LAST(STORED_HALTS),
};

/* Requests on which the players of a game may agree. */
enum storage_ask {
    STORAGE_ASK_PAUSE,
    STORAGE_ASK_ADJOURN,
    STORAGE_ASK_RESUME,
    STORAGE_ASKS,
};

#define STORAGE_HALT_WHY_SIZE 161

#define STORAGE_TABLE_FIXED_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, id) /* number of the table, from 1; never used again */                          \
    NEXT(NUMBER, created_ms)                                                                       \
    NEXT(NUMBER, conn) /* connection whose request opened the table */                             \
    NEXT(NUMBER, request)

#define STORAGE_TABLE_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_WORD_SIZE), game)                                                           \
    NEXT(CHOICE8(STORAGE_SEATS_MAX), players)                                                      \
    NEXT(TEXT(STORAGE_OPTIONS_SIZE), options) /* options of the game, a JSON object */             \
    NEXT(CHOICE8(STORED_LAST(STORED_CLOCK_KINDS)), clock_kind)                                     \
    NEXT(UINT32, clock_s) /* seconds for a move, or for all moves of a player; 0: no clock */      \
    NEXT(UINT32, clock_increment_s) /* seconds added to a player's time after each move */         \
    NEXT(TEXT(STORAGE_HASH_SIZE),                                                                  \
         password_hash) /* hash of the table's password; "" without one */                         \
    NEXT(LINK, host)    /* account of the table's host; 0: a guest */                              \
    NEXT(TEXT(STORAGE_NAME_SIZE), host_name)                                                       \
    NEXT(CHOICE(storage_table_state, STORAGE_TABLE_STATE_LAST), state)                             \
    NEXT(NUMBER, game_id) /* the game in play or last finished; 0 before the first game */         \
    NEXT(CHOICE(storage_halt, STORAGE_HALT_LAST), halt)                                            \
    NEXT(NUMBER, halt_ms) /* when the game was halted; 0: it is not halted */                      \
    NEXT(TEXT(STORAGE_NAME_SIZE),                                                                  \
         halt_by) /* name of the first player who asked to adjourn; "": nobody */                  \
    NEXT(TEXT(STORAGE_HALT_WHY_SIZE), halt_why) /* reason that halt_by gave; "": none */           \
    NEXT(UINT8, resume_asked) /* set of the seats that asked to resume a rated, adjourned game */  \
    NEXT(NUMBER, resume_due_ms) /* when play resumes even without all players; 0: no deadline */   \
    NEXT(UINT8, awaited) /* set of seats: if the house halted the game, play resumes when the      \
                            players of these seats are back */                                     \
    NEXT(UINT8, rematch) /* set of the seats that asked for a rematch of a finished game */        \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_POLICIES)),                                              \
         watch_policy) /* watch_policy, watch_moves, watch_talk: see protocol/protocol.h */        \
    NEXT(UINT8, watch_moves)                                                                       \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_TALKS)), watch_talk)                                     \
    NEXT(INT32, rating_min) /* rating points needed to sit down; 0: any */                         \
    NEXT(INT32, rating_max)                                                                        \
    NEXT(UINT8,                                                                                    \
         finished_min) /* percentage of rated games finished that is needed to sit down; 0: any */ \
    NEXT(CHOICE8(STORED_LAST(STORED_PACES)), pace) /* see protocol/protocol.h */

/* For each request on which the players may agree: the set of seats that made it. */
#define STORAGE_TABLE_ASK_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(UINT8, asks[STORAGE_ASK_PAUSE], asks_pause)                                              \
    NEXT(UINT8, asks[STORAGE_ASK_ADJOURN], asks_adjourn)                                           \
    NEXT(UINT8, asks[STORAGE_ASK_RESUME], asks_resume)

/* STORAGE_TABLE_CHANGE_COLUMNS lists the columns that storage_table_save writes,
 * STORAGE_TABLE_ALL_COLUMNS all columns. */
#define STORAGE_TABLE_CHANGE_COLUMNS(FIRST, NEXT)                                                  \
    STORAGE_TABLE_COLUMNS(FIRST, NEXT) STORAGE_TABLE_ASK_COLUMNS(NEXT, NEXT)
#define STORAGE_TABLE_ALL_COLUMNS(FIRST, NEXT)                                                     \
    STORAGE_TABLE_FIXED_COLUMNS(FIRST, NEXT) STORAGE_TABLE_CHANGE_COLUMNS(NEXT, NEXT)

/* A table. Sets of seats are bits: 1 << seat for each seat. */
struct storage_table {
    STORAGE_MEMBERS(STORAGE_TABLE_FIXED_COLUMNS)
    STORAGE_MEMBERS(STORAGE_TABLE_COLUMNS)
    uint8_t asks[STORAGE_ASKS]; /* for each kind of request, the set of seats that made it */
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* only the first `players` seats are used */
};

/* Adds a table with its seats. The table gets a new number (*id) instead of table->id. */
enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id) MUST_CHECK;

/* Rewrites a table and its seats. Does not change created_ms, conn and request. `stored` is the
 * table as it is stored, so that only what has changed is written. NULL: it is not known; then
 * STORAGE_NOT_FOUND if there is no such table. */
enum storage_result storage_table_save(struct storage *storage, const struct storage_table *table,
                                       const struct storage_table *stored) MUST_CHECK;

/* Whether the columns that storage_table_save writes, and the seats, are the same. */
bool storage_table_is_same(const struct storage_table *left, const struct storage_table *right);

/* Deletes what a closed table need not keep: its seats, its host, its password, and who adjourned
 * its game and why. Its games keep who played them. */
enum storage_result storage_table_forget_people(struct storage *storage, int64_t id) MUST_CHECK;

/* Closes a table, ends its game in play as unfinished, and forgets the people at the table. Changes
 * no other columns of the table. */
enum storage_result storage_table_close(struct storage *storage, int64_t id) MUST_CHECK;

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table) MUST_CHECK;

typedef bool storage_table_row(void *context, const struct storage_table *table);

/* Lists every table that is not closed, in the order of ids. */
enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context) MUST_CHECK;

/* The clocks of games in play, and the times when players are away: vacations and respites (extra
 * time while absent). */

#define STORAGE_CLOCK_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, table, table_id)                                                                 \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, game, game_id) /* game that the clock measures */                                 \
    NEXT(FLAG, is_running)                                                                         \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, due_ms)                                                                           \
    NEXT(NUMBER, bank_ms)                                                                          \
    NEXT(UINT8, misses)                                                                            \
    NEXT(FLAG, is_grace_spent)                                                                     \
    NEXT(UINT32, seen_step) /* the player has seen the moves before this step */                   \
    NEXT(NUMBER, gone_ms)   /* when the player's last connection ended; 0: still connected */

struct storage_clock {
    STORAGE_MEMBERS(STORAGE_CLOCK_COLUMNS)
};

/* Adds or replaces the clock of a seat. `stored` is the clock as it is stored: nothing is written
 * if it has not changed. NULL: it is not known. */
enum storage_result storage_clock_save(struct storage *storage, const struct storage_clock *clock,
                                       const struct storage_clock *stored) MUST_CHECK;

#define STORAGE_TIME_AWAY_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, vacation_ms)   /* when the vacation ends; 0: the player never had one */          \
    NEXT(UINT16, vacation_year) /* the year in which vacation_days were taken */                   \
    NEXT(UINT16, vacation_days) /* number of vacation days taken in that year */                   \
    NEXT(NUMBER,                                                                                   \
         respite_ms) /* when the player's respite (extra time while absent) began; 0: none yet */

struct storage_time_away {
    STORAGE_MEMBERS(STORAGE_TIME_AWAY_COLUMNS)
};

/* Shared replays of finished games. The row of a connection says which shared replay the person
 * takes part in. */

#define STORAGE_SHARED_REPLAY_COLUMNS(FIRST, NEXT)                                                 \
    FIRST(NUMBER, id)                                                                              \
    NEXT(NUMBER, game, game_id)                                                                    \
    NEXT(NUMBER, step)                                                                             \
    NEXT(NUMBER, seat) /* seat whose hand is shown; -1: the hands of all seats */

struct storage_shared_replay {
    STORAGE_MEMBERS(STORAGE_SHARED_REPLAY_COLUMNS)
};

#define STATEMENT STATEMENT_DECLARED
#include "storage/tables/tables.def"
