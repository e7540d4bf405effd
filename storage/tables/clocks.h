#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The clocks of games in play, and the players' vacations and respites. */

#define STORAGE_CLOCK_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, table, table_id)                                                                 \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, game, game_id) /* the game of the table it belongs to */                          \
    NEXT(FLAG, is_running)                                                                         \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, due_ms)                                                                           \
    NEXT(NUMBER, bank_ms)                                                                          \
    NEXT(UINT8, misses)                                                                            \
    NEXT(FLAG, is_grace_spent)                                                                     \
    NEXT(UINT32, seen_step) /* the player saw the moves before this one */                         \
    NEXT(NUMBER, gone_ms)   /* end of their last connection; 0: still here */

struct storage_clock {
    STORAGE_MEMBERS(STORAGE_CLOCK_COLUMNS)
};

/* Writes a seat's clock and replaces an earlier one. */
enum storage_result storage_clock_save(struct storage *storage,
                                       const struct storage_clock *clock) MUST_CHECK;

typedef bool storage_clock_row(void *context, const struct storage_clock *clock);

/* The clocks of a table, by seat; STORAGE_OK also when there is none. */
enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context) MUST_CHECK;

#define STORAGE_PLAYER_TIME_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, vacation_ms)   /* end of the vacation; 0: never had one */                        \
    NEXT(UINT16, vacation_year) /* the year that vacation_days counts for */                       \
    NEXT(UINT16, vacation_days) /* days of vacation taken */                                       \
    NEXT(NUMBER, respite_ms)    /* start of the respite of this absence; 0: none yet */

struct storage_player_time {
    STORAGE_MEMBERS(STORAGE_PLAYER_TIME_COLUMNS)
};

enum storage_result storage_player_time_save(struct storage *storage,
                                             const struct storage_player_time *time) MUST_CHECK;
enum storage_result storage_player_time_read(struct storage *storage, int64_t account,
                                             struct storage_player_time *time) MUST_CHECK;
