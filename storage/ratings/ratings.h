#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The ratings of accounts, and how each game played changed them. For each game, an account has one
 * rating of all time and one for each season. The caller computes the ratings
 * (lobby/ratings/rating.h). Leaderboards are in boards.h. */

#define STORAGE_BY_SIZE 1025 /* size of the column `by` of a rating change, with its NUL */

#define STORAGE_RATING_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)

#define STORAGE_RATING_NUMBER_COLUMNS(FIRST, NEXT)                                                 \
    FIRST(REAL, mu)                                                                                \
    NEXT(REAL, sigma)      /* sigma as it was at rated_ms */                                       \
    NEXT(NUMBER, rated_ms) /* when the last rated game ended; 0: none yet */                       \
    NEXT(UINT32, games)    /* number of rated games */                                             \
    NEXT(REAL, wins)       /* number of wins; a win that k players share counts 1/k */             \
    NEXT(REAL, place_sum)  /* sum over the games of (players − rank) / (players − 1) */        \
    NEXT(UINT32, stat_hits)                                                                        \
    NEXT(UINT32, stat_chances)                                                                     \
    NEXT(UINT32, finished)                                                                         \
    NEXT(UINT32, left, "left") /* number of games that the player left for good */                 \
    NEXT(INT32, streak) /* number of wins in a row; negative: games in a row without a win */      \
    NEXT(REAL, best_mu)                                                                            \
    NEXT(NUMBER, best_ms) /* when best_mu was reached; 0: never */

#define STORAGE_RATING_ALL_COLUMNS(FIRST, NEXT)                                                    \
    STORAGE_RATING_COLUMNS(FIRST, NEXT) STORAGE_RATING_NUMBER_COLUMNS(NEXT, NEXT)

struct storage_rating {
    STORAGE_MEMBERS(STORAGE_RATING_ALL_COLUMNS)
};

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        struct storage_rating *rating) MUST_CHECK;

/* Adds a rating or replaces it; STORAGE_REFUSED when there is no such account. */
enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating) MUST_CHECK;

/* Like storage_rating_read and storage_rating_save, for the rating of a season. The caller chooses
 * the numbers of the seasons, above 0. */
enum storage_result storage_season_rating_read(struct storage *storage, int64_t account,
                                               const char *game, int32_t season,
                                               struct storage_rating *rating) MUST_CHECK;
enum storage_result storage_season_rating_save(struct storage *storage, int32_t season,
                                               const struct storage_rating *rating) MUST_CHECK;

/* Deletes the account's ratings in this game, of all time and of all seasons. */
enum storage_result storage_ratings_delete(struct storage *storage, int64_t account,
                                           const char *game) MUST_CHECK;

typedef bool storage_rating_row(void *context, const struct storage_rating *rating);

/* Lists an account's ratings of all time, the game with the most rated games first. */
enum storage_result storage_ratings_each(struct storage *storage, int64_t account,
                                         storage_rating_row *row, void *context) MUST_CHECK;

/* Reads the account's rating in the game with its most rated games; STORAGE_NOT_FOUND when it has
 * none. */
enum storage_result storage_rating_read_most_played(struct storage *storage, int64_t account,
                                                    struct storage_rating *rating) MUST_CHECK;

/* How one game changed the rating of one account. */
#define STORAGE_RATING_CHANGE_COLUMNS(FIRST, NEXT)                                                 \
    FIRST(NUMBER, game_id)                                                                         \
    NEXT(UINT8, seat)                                                                              \
    NEXT(NUMBER, account)                                                                          \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(INT32, season)                                                                            \
    NEXT(UINT8, players) /* number of seats of the game */                                         \
    NEXT(UINT8, rank)    /* rank among all who started; players who left come last */              \
    NEXT(REAL, win)      /* 1 for a win; 1/k for a win that k players share */                     \
    NEXT(UINT32, stat_hits)                                                                        \
    NEXT(UINT32, stat_chances)                                                                     \
    NEXT(FLAG, has_left) /* the player left for good */                                            \
    NEXT(FLAG, is_bot)                                                                             \
    NEXT(REAL, played) /* the part of the game's moves made before the player left; 1: stayed */   \
    NEXT(UINT8, doubtful) /* bit s: the player of seat s counts less for this one, since both may  \
                             be one person (lobby/ratings/rating.h) */                             \
    NEXT(NUMBER, at_ms)

/* The columns that re-rating rewrites. */
#define STORAGE_RATING_CHANGE_VALUE_COLUMNS(FIRST, NEXT)                                           \
    FIRST(REAL, mu_before)                                                                         \
    NEXT(REAL, sigma_before)                                                                       \
    NEXT(REAL, mu_after)                                                                           \
    NEXT(REAL, sigma_after)                                                                        \
    NEXT(REAL, season_mu_before)                                                                   \
    NEXT(REAL, season_sigma_before)                                                                \
    NEXT(REAL, season_mu_after)                                                                    \
    NEXT(REAL, season_sigma_after)                                                                 \
    NEXT(TEXT(STORAGE_BY_SIZE), by) /* rating change against each opponent, as a JSON array */

#define STORAGE_RATING_CHANGE_ALL_COLUMNS(FIRST, NEXT)                                             \
    STORAGE_RATING_CHANGE_COLUMNS(FIRST, NEXT) STORAGE_RATING_CHANGE_VALUE_COLUMNS(NEXT, NEXT)

struct storage_rating_change {
    STORAGE_MEMBERS(STORAGE_RATING_CHANGE_ALL_COLUMNS)
};

/* Adds a rating change; STORAGE_TAKEN when this game has changed this account's rating already. */
enum storage_result
storage_rating_change_add(struct storage *storage,
                          const struct storage_rating_change *change) MUST_CHECK;

/* Reads a game's rating changes in the order of seats: at most `capacity`. Sets *count to their
 * number. */
enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count) MUST_CHECK;

/* Replaces the ratings (all time and season) and `by` of an existing rating change, found by
 * game_id and seat; STORAGE_NOT_FOUND when there is none. */
enum storage_result
storage_rating_change_set(struct storage *storage,
                          const struct storage_rating_change *change) MUST_CHECK;

/* Deletes all rating changes by a game. */
enum storage_result storage_rating_changes_delete(struct storage *storage,
                                                  int64_t game_id) MUST_CHECK;

/* Reads an account's mu before each of its last rated games, newest first: at most `capacity`. Sets
 * *count to their number. */
enum storage_result storage_rating_read_last_mus(struct storage *storage, int64_t account,
                                                 const char *game, double *mus, size_t capacity,
                                                 size_t *count) MUST_CHECK;

/* Counts the account's rated games of `game` that ended at `until_ms` or before; stops counting at
 * `max_count`. */
enum storage_result storage_rating_changes_count(struct storage *storage, int64_t account,
                                                 const char *game, int64_t until_ms,
                                                 uint32_t max_count, uint32_t *count) MUST_CHECK;

/* Counts the rated games of the same kind that the account of `change` and another account played
 * together in the `within_ms` milliseconds before that change; `change` need not be stored. */
enum storage_result storage_rating_changes_count_shared(struct storage *storage,
                                                        const struct storage_rating_change *change,
                                                        int64_t other, int64_t within_ms,
                                                        uint32_t *count) MUST_CHECK;

typedef bool storage_rating_change_row(void *context, const struct storage_rating_change *change);

/* Lists the changes of an account's rating in a game at `since_ms` or later, in the order they were
 * made, at most `count`. */
struct storage_rating_changes_query {
    int64_t account;
    const char *game;
    int64_t since_ms;
    size_t count;
};
enum storage_result storage_rating_changes_each(struct storage *storage,
                                                const struct storage_rating_changes_query *query,
                                                storage_rating_change_row *row,
                                                void *context) MUST_CHECK;
