#pragma once

#include "storage/ratings/boards.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/columns.h"

/* Sums over the rated games of accounts, for leaderboards (boards.h) and profiles. */

/* Sums over an account's rated games of one kind of game. */
#define STORAGE_TALLY_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, last_ms) /* when the last game ended */                                          \
    NEXT(UINT32, games)                                                                            \
    NEXT(REAL, wins)                                                                               \
    NEXT(REAL, place_sum)                                                                          \
    NEXT(UINT32, stat_hits)                                                                        \
    NEXT(UINT32, stat_chances)                                                                     \
    NEXT(UINT32, finished)                                                                         \
    NEXT(UINT32, left, "left")

struct storage_tally {
    STORAGE_MEMBERS(STORAGE_TALLY_COLUMNS)
};

/* Adds one game's rating change (`sign` is 1) to the account's tallies of all time, of the season
 * and of the day, or subtracts it (`sign` is -1). Subtracting leaves last_ms unchanged. Tallies of
 * days are kept for a month. */
enum storage_result storage_tallies_add_rating_change(struct storage *storage,
                                                      const struct storage_rating_change *change,
                                                      int sign) MUST_CHECK;

/* Sets last_ms of the account's tallies (except those of days) to the end of its last game. Call it
 * after subtracting and deleting changes. */
enum storage_result storage_tallies_update_last_ms(struct storage *storage, int64_t account,
                                                   const char *game) MUST_CHECK;

/* Called for each number of players with which the account has played at least one game; `tally`
 * sums up those games. */
typedef bool storage_tally_row(void *context, uint8_t players, const struct storage_tally *tally);

/* Lists an account's tallies of all time (span STORAGE_SPAN_ALL) or of a season, by number of
 * players. */
enum storage_result storage_tallies_each(struct storage *storage, int64_t account,
                                         const struct storage_board *board, storage_tally_row *row,
                                         void *context) MUST_CHECK;
