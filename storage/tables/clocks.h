#ifndef STORAGE_TABLES_CLOCKS_H
#define STORAGE_TABLES_CLOCKS_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The clocks of games that are on, and what of a player's time outlives a game. */

#define STORAGE_CLOCK_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, table, table_id)                                                                 \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, game, game_id) /* which game of the table it belongs to */                        \
    NEXT(FLAG, is_running)                                                                         \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, due_ms)                                                                           \
    NEXT(NUMBER, bank_ms)                                                                          \
    NEXT(UINT8, misses)                                                                            \
    NEXT(FLAG, is_grace_spent)                                                                     \
    NEXT(UINT32, seen_step) /* the player saw the moves before this one */                         \
    NEXT(NUMBER, gone_ms)   /* when their last connection ended; 0: still here */

struct storage_clock {
    STORAGE_MEMBERS(STORAGE_CLOCK_COLUMNS)
};

/* Writes one seat's clock over the one before. */
enum storage_result storage_clock_save(struct storage *storage,
                                       const struct storage_clock *clock) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_clock_row(void *context, const struct storage_clock *clock);

/* The clocks of a table, by seat; none is STORAGE_OK. */
enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context) MUST_CHECK;

#define STORAGE_PLAYER_TIME_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, vacation_ms)   /* on vacation until then; 0: never was */                         \
    NEXT(UINT16, vacation_year) /* the year to which belongs */                                    \
    NEXT(UINT16, vacation_days) /* the number of days taken */                                     \
    NEXT(NUMBER, respite_ms)    /* start of this absence's respite; 0: none yet */

struct storage_player_time {
    STORAGE_MEMBERS(STORAGE_PLAYER_TIME_COLUMNS)
};

enum storage_result storage_player_time_save(struct storage *storage,
                                             const struct storage_player_time *time) MUST_CHECK;
enum storage_result storage_player_time_read(struct storage *storage, int64_t account,
                                             struct storage_player_time *time) MUST_CHECK;

#endif
