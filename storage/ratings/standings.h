#pragma once

#include "storage/ratings/boards.h"

/* The standings of accounts on the boards (boards.h). */

/* An account's standing on a board. The first one creates the board. */
struct storage_standing {
    int64_t account;
    struct storage_board board;
    double mu;
    bool is_listed;
    int64_t listed_until_ms; /* stops qualifying then; 0: never */
    int64_t gone_ms;         /* leaves the board then; 0: never */
};

/* Adds or replaces a standing. Save the account's rating, changes and tallies first, because the
 * row's content is copied from them. A standing on a board for a number of players, a month or a
 * week also needs one with the same mu on the board of all time or of the season for any number of
 * players. STORAGE_REFUSED when there is no such account. */
enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing) MUST_CHECK;

/* Takes the account off all boards of a game. */
enum storage_result storage_standings_delete(struct storage *storage, int64_t account,
                                             const char *game) MUST_CHECK;

/* Ends the listings and removes the standings that are due by `now_ms`, at most `count` of them.
 * *next_ms is when the next one is due, INT64_MAX for never. */
enum storage_result storage_standings_expire(struct storage *storage, int64_t now_ms, size_t count,
                                             int64_t *next_ms) MUST_CHECK;
