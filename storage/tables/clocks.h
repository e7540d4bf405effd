#ifndef STORAGE_TABLES_CLOCKS_H
#define STORAGE_TABLES_CLOCKS_H

#include "storage/storage.h"

/* The clocks of games that are on, and what of a player's time outlives a game. */

struct storage_clock {
    int64_t table;
    uint8_t seat;
    int64_t game; /* which game of the table it belongs to */
    bool is_running;
    int64_t since_ms, due_ms, bank_ms;
    uint8_t misses;
    bool is_grace_spent;
    uint32_t seen_step; /* the holder saw the moves before this one */
    int64_t gone_ms;    /* the holder's last connection ended; 0: was in */
};

/* Writes one seat's clock over the one before. */
enum storage_result storage_clock_save(struct storage *storage,
                                       const struct storage_clock *clock) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_clock_row(void *context, const struct storage_clock *clock);

/* The clocks of a table, by seat; none is STORAGE_OK. */
enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context) MUST_CHECK;

struct storage_player_time {
    int64_t account;
    int64_t vacation_ms;    /* on vacation until then; 0: never was */
    uint16_t vacation_year; /* in this year, */
    uint16_t vacation_days; /* so many days were taken */
    int64_t respite_ms;     /* this absence got its respite then; 0: none yet */
};

enum storage_result storage_player_time_save(struct storage *storage,
                                             const struct storage_player_time *time) MUST_CHECK;
enum storage_result storage_player_time_read(struct storage *storage, int64_t account,
                                             struct storage_player_time *time) MUST_CHECK;

#endif
