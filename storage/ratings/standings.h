#ifndef STORAGE_RATINGS_STANDINGS_H
#define STORAGE_RATINGS_STANDINGS_H

#include "storage/ratings/boards.h"

/* Where accounts stand on the boards (boards.h). */

/* An account's place on a board, which begins with the first. */
struct storage_standing {
    int64_t account;
    struct storage_board board;
    double mu;
    bool is_listed;
    int64_t listed_until_ms; /* it qualifies no longer from then on; 0: for good */
    int64_t gone_ms;         /* it leaves the board then; 0: never */
};

/* Adds or replaces, after the account's rating, its changes and tallies: what is shown is taken
 * from those. On a board of some number of players, a month or a week only who stands, by the same
 * mu, on that of any number, of all time or the season, too. STORAGE_REFUSED when there is no such
 * account.
 */
enum storage_result storage_standing_put(struct storage *storage,
                                         const struct storage_standing *standing) MUST_CHECK;

/* Takes the account off all boards of a game. */
enum storage_result storage_standings_drop(struct storage *storage, int64_t account,
                                           const char *game) MUST_CHECK;

/* Carries out what time has brought by `now_ms`, at most `count` rows of it; *next_ms: when there
 * is more, INT64_MAX for never. */
enum storage_result storage_standings_pass(struct storage *storage, int64_t now_ms, size_t count,
                                           int64_t *next_ms) MUST_CHECK;

#endif
