#pragma once

#include "storage/archive/seats.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Tables: their set-up, seats and current game. */

/* Stored: the numbers never change. A table never goes back to an earlier state,
 * except for a rematch.
 *
 *     OPEN ──start──▶ PLAYING ──last move──▶ FINISHED ──rematch──▶ PLAYING
 *       └──────────────── all leave ────────────┴──▶ CLOSED
 */
enum storage_table_state {
    STORED_VALUES(STORED_TABLE_STATES, STORAGE_TABLE_)
    STORAGE_TABLE_STATE_LAST = STORED_LAST(STORED_TABLE_STATES),
};

/* Why the game in play is halted. Stored: the numbers never change. */
enum storage_halt {
    STORED_VALUES(STORED_HALTS, STORAGE_HALT_) STORAGE_HALT_LAST = STORED_LAST(STORED_HALTS),
};

/* What the players of a game may agree on. */
enum storage_ask {
    STORAGE_ASK_PAUSE,
    STORAGE_ASK_ADJOURN,
    STORAGE_ASK_RESUME,
    STORAGE_ASKS,
};

#define STORAGE_HALT_WHY_SIZE 161

#define STORAGE_TABLE_FIXED_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, id) /* 1 or more, never used again */                                            \
    NEXT(NUMBER, created_ms)                                                                       \
    NEXT(NUMBER, conn) /* with `request`: which request opened it */                               \
    NEXT(NUMBER, request)

#define STORAGE_TABLE_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_WORD_SIZE), game)                                                           \
    NEXT(CHOICE8(STORAGE_SEATS_MAX), players)                                                      \
    NEXT(TEXT(STORAGE_OPTIONS_SIZE), options) /* a JSON object */                                  \
    NEXT(CHOICE8(STORED_LAST(STORED_CLOCK_KINDS)), clock_kind)                                     \
    NEXT(UINT32, clock_s)                        /* for a move, or the bank; 0: no clock */        \
    NEXT(UINT32, clock_increment_s)              /* added to a bank after each move */             \
    NEXT(TEXT(STORAGE_HASH_SIZE), password_hash) /* "" without a password */                       \
    NEXT(LINK, host)                             /* an account; 0: a guest */                      \
    NEXT(TEXT(STORAGE_NAME_SIZE), host_name)                                                       \
    NEXT(CHOICE(storage_table_state, STORAGE_TABLE_STATE_LAST), state)                             \
    NEXT(NUMBER, game_id) /* the game in play or last finished; 0 before the first */              \
    NEXT(CHOICE(storage_halt, STORAGE_HALT_LAST), halt)                                            \
    NEXT(NUMBER, halt_ms)                       /* when it was halted; 0: it is not halted */      \
    NEXT(TEXT(STORAGE_NAME_SIZE), halt_by)      /* first player to ask to adjourn; "" */           \
    NEXT(TEXT(STORAGE_HALT_WHY_SIZE), halt_why) /* their reason; "" */                             \
    NEXT(UINT8, resume_asked)   /* a rated, adjourned game: seats that asked to resume */          \
    NEXT(NUMBER, resume_due_ms) /* when it resumes without the others; 0: nobody asked */          \
    NEXT(UINT8, awaited)        /* STORAGE_HALT_HOUSE: seats still to return */                    \
    NEXT(UINT8, rematch)        /* finished game: seats that asked for a rematch */                \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_POLICIES)),                                              \
         watch_policy) /* these: protocol/watch_rule.h */                                          \
    NEXT(UINT8, watch_moves)                                                                       \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_TALKS)), watch_talk)                                     \
    NEXT(INT32, rating_min) /* rating points needed to sit down; 0: any */                         \
    NEXT(INT32, rating_max)                                                                        \
    NEXT(UINT8, finished_min) /* percentage of rated games finished; 0: any */

/* The sets of seats that asked for each thing the players may agree on. */
#define STORAGE_TABLE_ASK_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(UINT8, asks[STORAGE_ASK_PAUSE], asks_pause)                                              \
    NEXT(UINT8, asks[STORAGE_ASK_ADJOURN], asks_adjourn)                                           \
    NEXT(UINT8, asks[STORAGE_ASK_RESUME], asks_resume)

/* The columns that storage_table_save writes; all columns. */
#define STORAGE_TABLE_CHANGE_COLUMNS(FIRST, NEXT)                                                  \
    STORAGE_TABLE_COLUMNS(FIRST, NEXT) STORAGE_TABLE_ASK_COLUMNS(NEXT, NEXT)
#define STORAGE_TABLE_ALL_COLUMNS(FIRST, NEXT)                                                     \
    STORAGE_TABLE_FIXED_COLUMNS(FIRST, NEXT) STORAGE_TABLE_CHANGE_COLUMNS(NEXT, NEXT)

/* A set of seats has bit 1 << seat for each seat. */
struct storage_table {
    STORAGE_MEMBERS(STORAGE_TABLE_FIXED_COLUMNS)
    STORAGE_MEMBERS(STORAGE_TABLE_COLUMNS)
    uint8_t asks[STORAGE_ASKS];                   /* seats with an open request */
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* the first `players` of them */
};

/* Adds a table with its seats; its `id` is ignored and *id set. */
enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id) MUST_CHECK;

/* Rewrites a table and its seats, except created_ms, conn and request. */
enum storage_result storage_table_save(struct storage *storage,
                                       const struct storage_table *table) MUST_CHECK;

/* Closes the table without reading its other columns, and cuts off its game in play. */
enum storage_result storage_table_close(struct storage *storage, int64_t id) MUST_CHECK;

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table) MUST_CHECK;

typedef bool storage_table_row(void *context, const struct storage_table *table);

/* Every table that is not closed, by id. */
enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context) MUST_CHECK;
