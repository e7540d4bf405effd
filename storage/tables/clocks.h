#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

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

typedef bool storage_clock_row(void *context, const struct storage_clock *clock);

/* Lists the clocks of a table by seat; STORAGE_OK also when there is none. */
enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context) MUST_CHECK;

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

enum storage_result storage_time_away_save(struct storage *storage,
                                           const struct storage_time_away *time) MUST_CHECK;
enum storage_result storage_time_away_read(struct storage *storage, int64_t account,
                                           struct storage_time_away *time) MUST_CHECK;
