#pragma once

#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"
#include "storage/sql/rows.h"

/* Inside storage/ only: the content of a leaderboard row, except its rank. It comes from the lines
 * that the database keeps in leaderboard order (migrations/015-lines.sql). */

/* The key of an account's line. */
struct leader_line {
    int64_t board; /* board of leader_lines_span, any number of players */
    int64_t class;
    double mu;
    int64_t account;
};

/* True for a board of the last week or month. */
bool leader_lines_is_recent_board(const struct storage_board *board);

/* The span of the board that holds the lines for this board's rows: all time or the season. */
int32_t leader_lines_span(const struct storage_board *board);

/* Reads a row except its rank. Its tally is that of the rating. STORAGE_NOT_FOUND when there is no
 * such line. */
enum storage_result leader_lines_read(struct storage *storage,
                                      const struct storage_listing *listing,
                                      const struct leader_line *line,
                                      struct storage_leader *leader) MUST_CHECK;

/* Reads the next columns of a statement, LEADER_LINES_SUMS of `tallies` or `standings`. */
#define LEADER_LINES_SUMS ROW_NAMES(STORAGE_TALLY_COLUMNS)
void leader_lines_read_sums(struct sql *q, struct storage_tally *tally);

/* Sums the tally of the games that fit the listing's board. */
enum storage_result leader_lines_sum_tally(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           struct storage_tally *tally) MUST_CHECK;
