#ifndef STORAGE_TABLES_TABLES_H
#define STORAGE_TABLES_TABLES_H

#include "storage/archive/seats.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Tables: how they are set up, who sits there, which game is on. */

/* Stored: the numbers never change. A table only moves forward, but for a rematch.
 *
 *     OPEN ──start──▶ PLAYING ──last move──▶ FINISHED ──rematch──▶ PLAYING
 *       └──────────────── all leave ────────────┴──▶ CLOSED
 */
enum storage_table_state {
    STORED_VALUES(STORED_TABLE_STATES, STORAGE_TABLE_)
    STORAGE_TABLE_STATE_LAST = STORED_LAST(STORED_TABLE_STATES),
};

/* What has brought the game on to a halt. Stored: the numbers never change. */
enum storage_halt {
    STORED_VALUES(STORED_HALTS, STORAGE_HALT_) STORAGE_HALT_LAST = STORED_LAST(STORED_HALTS),
};

/* What those who play may agree on. */
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
    NEXT(NUMBER, conn) /* with `request`: what opened it */                                        \
    NEXT(NUMBER, request)

#define STORAGE_TABLE_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_WORD_SIZE), game)                                                           \
    NEXT(CHOICE8(STORAGE_SEATS_MAX), players)                                                      \
    NEXT(TEXT(STORAGE_OPTIONS_SIZE), options) /* a JSON object */                                  \
    NEXT(CHOICE8(STORED_LAST(STORED_CLOCK_KINDS)), clock_kind)                                     \
    NEXT(UINT32, clock_s)                        /* of a move, or the bank; 0: no clock */         \
    NEXT(UINT32, clock_increment_s)              /* of a bank, after each move */                  \
    NEXT(TEXT(STORAGE_HASH_SIZE), password_hash) /* "" when not locked */                          \
    NEXT(LINK, host)                             /* account; 0 for a guest */                      \
    NEXT(TEXT(STORAGE_NAME_SIZE), host_name)                                                       \
    NEXT(CHOICE(storage_table_state, STORAGE_TABLE_STATE_LAST), state)                             \
    NEXT(NUMBER, game_id) /* the game in play or last finished; 0 before the first */              \
    NEXT(CHOICE(storage_halt, STORAGE_HALT_LAST), halt)                                            \
    NEXT(NUMBER, halt_ms)                       /* when it was halted; 0: it is not */             \
    NEXT(TEXT(STORAGE_NAME_SIZE), halt_by)      /* who first asked to adjourn this game; "" */     \
    NEXT(TEXT(STORAGE_HALT_WHY_SIZE), halt_why) /* in their words; "" */                           \
    NEXT(UINT8, resume_asked)   /* a rated, adjourned game: seats that asked to resume */          \
    NEXT(NUMBER, resume_due_ms) /* then it resumes without the others; 0: nobody asked */          \
    NEXT(UINT8, awaited)        /* STORAGE_HALT_HOUSE: seats whose players are awaited */          \
    NEXT(UINT8, rematch)        /* a finished game: seats that asked for a rematch */              \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_POLICIES)),                                              \
         watch_policy) /* these: protocol/watch_rule.h */                                          \
    NEXT(UINT8, watch_moves)                                                                       \
    NEXT(CHOICE8(STORED_LAST(STORED_WATCH_TALKS)), watch_talk)                                     \
    NEXT(INT32, rating_min) /* in points, of those who sit down; 0: any */                         \
    NEXT(INT32, rating_max)                                                                        \
    NEXT(UINT8, finished_min) /* percent of rated games played to the end; 0: any */

/* What the players of a game may ask for together. */
#define STORAGE_TABLE_ASK_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(UINT8, asks[STORAGE_ASK_PAUSE], asks_pause)                                              \
    NEXT(UINT8, asks[STORAGE_ASK_ADJOURN], asks_adjourn)                                           \
    NEXT(UINT8, asks[STORAGE_ASK_RESUME], asks_resume)

/* What storage_table_save writes; and all. */
#define STORAGE_TABLE_CHANGE_COLUMNS(FIRST, NEXT)                                                  \
    STORAGE_TABLE_COLUMNS(FIRST, NEXT) STORAGE_TABLE_ASK_COLUMNS(NEXT, NEXT)
#define STORAGE_TABLE_ALL_COLUMNS(FIRST, NEXT)                                                     \
    STORAGE_TABLE_FIXED_COLUMNS(FIRST, NEXT) STORAGE_TABLE_CHANGE_COLUMNS(NEXT, NEXT)

/* Sets of seats are bits, 1 << seat. */
struct storage_table {
    STORAGE_MEMBERS(STORAGE_TABLE_FIXED_COLUMNS)
    STORAGE_MEMBERS(STORAGE_TABLE_COLUMNS)
    uint8_t asks[STORAGE_ASKS];                   /* seats that asked and were not granted it yet */
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* `players` of them */
};

/* Adds a table with its seats; its `id` is ignored and *id set. */
enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id) MUST_CHECK;

/* Writes all of a table and its seats anew, but created_ms, conn and request. */
enum storage_result storage_table_save(struct storage *storage,
                                       const struct storage_table *table) MUST_CHECK;

/* Closes it, whatever else its rows say; with its game, if that was on. */
enum storage_result storage_table_close(struct storage *storage, int64_t id) MUST_CHECK;

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_table_row(void *context, const struct storage_table *table);

/* Every table that is not closed, by id. */
enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context) MUST_CHECK;

#endif
