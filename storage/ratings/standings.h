#pragma once

#include "storage/ratings/boards.h"

/* The standings of accounts on the leaderboards (boards.h). */

/* An account's standing on a board. An account's first standing on an unknown board creates that
 * board. */
struct storage_standing {
    int64_t account;
    struct storage_board board;
    double mu;
    bool is_listed;
    int64_t listed_until_ms; /* when the account stops qualifying; 0: it never does */
    int64_t gone_ms;         /* when the account leaves the board; 0: it never does */
};

/* Adds a standing or replaces it. Save the account's rating, changes and tallies first, because the
 * row's content is copied from them. A standing on a board for a number of players, a month or a
 * week also needs a standing with the same mu on the board for any number of players, of all time
 * or of the season. STORAGE_REFUSED when there is no such account. */
enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing) MUST_CHECK;

/* Takes the account off all boards of a game. */
enum storage_result storage_standings_delete(struct storage *storage, int64_t account,
                                             const char *game) MUST_CHECK;

/* Handles at most `count` standings that are due at `now_ms`: accounts that stop qualifying, and
 * accounts that leave a board. *next_ms is when the next one is due; INT64_MAX: never. */
enum storage_result storage_standings_expire(struct storage *storage, int64_t now_ms, size_t count,
                                             int64_t *next_ms) MUST_CHECK;
