#pragma once

#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"
#include "storage/sql/rows.h"

/* Inside storage/ only: reads the content of a leaderboard row, except its rank, from lines that
 * the database keeps in leaderboard order (migrations/001-house.sql). Only boards of all time or of
 * a season, and of any number of players, store lines; the other boards use the lines of these. */

/* The key of an account's leaderboard line. */
struct leader_line {
    int64_t board; /* number of the board that stores the line */
    int64_t class;
    double mu;
    int64_t account;
};

/* True for a leaderboard of the last week or month. */
bool leader_lines_is_week_or_month(const struct storage_board *board);

/* Returns the span of the board that stores the lines for this board: all time or the season. */
int32_t leader_lines_get_span(const struct storage_board *board);

/* Reads a leaderboard row except its rank; sets its tally from the rating. STORAGE_NOT_FOUND when
 * there is no such line. */
enum storage_result leader_lines_read(struct storage *storage,
                                      const struct storage_listing *listing,
                                      const struct leader_line *line,
                                      struct storage_leader *leader) MUST_CHECK;

/* Reads the columns named in LEADER_LINES_SUMS from a query of the database table `tallies` or
 * `standings`. */
#define LEADER_LINES_SUMS ROW_NAMES(STORAGE_TALLY_COLUMNS)
void leader_lines_read_sums(struct sql *q, struct storage_tally *tally);

/* Sums the account's tallies of the games that the listing's board covers. */
enum storage_result leader_lines_sum_tally(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           struct storage_tally *tally) MUST_CHECK;
