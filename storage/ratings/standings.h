#pragma once

#include "storage/ratings/boards.h"

/* The standings of accounts on the leaderboards (boards.h). */

/* An account's standing on a board. The first standing on a board creates the board. */
struct storage_standing {
    int64_t account;
    struct storage_board board;
    double mu;
    bool is_listed;
    int64_t listed_until_ms; /* when the account stops qualifying for the board; 0: never */
    int64_t gone_ms;         /* when the account leaves the board; 0: never */
};

/* Adds a standing or replaces it. Save the account's rating, changes and tallies first, because
 * this function copies them into the standing's row. A board of a month, a week or a number of
 * players stores no lines itself (leader_lines.h): save a standing with the same mu also on the
 * board that stores its lines. STORAGE_REFUSED when there is no such account. */
enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing) MUST_CHECK;

/* Takes the account off all boards of a game. */
enum storage_result storage_standings_delete(struct storage *storage, int64_t account,
                                             const char *game) MUST_CHECK;

/* Updates at most `max_count` standings whose time has come at `now_ms`: an account stops
 * qualifying for a board, or leaves it. Sets *next_due_ms to when the next standing has to be
 * updated; INT64_MAX: never. */
enum storage_result storage_standings_update_due(struct storage *storage, int64_t now_ms,
                                                 size_t max_count, int64_t *next_due_ms) MUST_CHECK;
