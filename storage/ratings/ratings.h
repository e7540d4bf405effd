#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"

/* The ratings of accounts, and how each game played changed them. For each game, an account has one
 * rating of all time and one for each season. The caller computes the ratings
 * (lobby/ratings/ratings.h). */

#define STORAGE_BY_SIZE 1025 /* size of the column `by` of a rating change, with its NUL */

#define STORAGE_RATING_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(INT32, season) /* 0: the rating of all time */                                            \
    NEXT(REAL, mu)                                                                                 \
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

struct storage_rating {
    STORAGE_MEMBERS(STORAGE_RATING_COLUMNS)
};

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
                             be one person (lobby/ratings/ratings.h) */                            \
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

/* Returns how good the player's place was: (n − rank) / (n − 1), so 1 for the first and 0 for the
 * last of n players. A player who left for good counts as last, even if others left too. */
double storage_rating_change_place(const struct storage_rating_change *change);

/* Replaces the ratings (all time and season) and `by` of an existing rating change, found by
 * game_id and seat; STORAGE_NOT_FOUND when there is none. */
enum storage_result
storage_rating_change_set(struct storage *storage,
                          const struct storage_rating_change *change) MUST_CHECK;

#define STORAGE_MU_COLUMNS(FIRST, NEXT) FIRST(REAL, mu)

struct storage_mu {
    STORAGE_MEMBERS(STORAGE_MU_COLUMNS)
};

/*
 * The leaderboards. Their order is kept in memory (lobby/ratings/ratings.h), where it is decided
 * who qualifies; here their rows are read.
 */

/* The period whose games a leaderboard counts. A number of STORAGE_SPAN_SEASONS or more is the
 * number of a season. */
enum storage_span {
    STORAGE_SPAN_ALL = 0,
    STORAGE_SPAN_MONTH = 1, /* the last 30 days */
    STORAGE_SPAN_WEEK = 2,  /* the last 7 days */
    STORAGE_SPAN_SEASONS = 3,
};

struct storage_board {
    const char *game;
    int32_t span;    /* an enum storage_span, or the number of a season */
    uint8_t players; /* only games with this many players; 0: with any number */
    bool is_bots;    /* true: the list of bots; false: the list of people */
};

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

/* Selects which rows of a board are read. */
struct storage_listing {
    struct storage_board board;
    bool is_young; /* true: select the accounts that do not qualify */
    int64_t now_ms;
};

struct storage_leader {
    uint32_t rank;  /* rank of the account: 1 is best, tied accounts share a rank; 0: not listed */
    uint32_t index; /* position of the row in the list, from 0 */
    struct storage_rating rating; /* the account's rating of all time, or of the season */
    struct storage_tally tally;   /* sums over the games that the board counts; the board's period
                                     consists of whole UTC days */
    char name[STORAGE_NAME_SIZE];
    uint8_t kind; /* an enum storage_kind */
    uint8_t role; /* an enum storage_role */
    int64_t seen_ms;
    double change_week_mu; /* change of mu since 0:00 UTC seven days ago */
};

/* Returns how many days back a board's games may be; 0 for boards of all time and of seasons. */
int64_t storage_board_days(const struct storage_board *board);

/* Returns the season of the ratings that a board lists; 0: those of all time. */
int32_t storage_board_season(const struct storage_board *board);

/* Reads the rows of the accounts rows[…].rating.account on the listing's board, whether they are
 * listed there or not, except rank and index. The row of an account without a rating is left as it
 * is. */
enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing,
                                         struct storage_leader *rows, size_t count) MUST_CHECK;

/* What decides an account's place on a board. */
#define STORAGE_STANDING_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, account)                                                                         \
    NEXT(REAL, mu)                                                                                 \
    NEXT(REAL, sigma) /* sigma as it was at rated_ms */                                            \
    NEXT(NUMBER, rated_ms)                                                                         \
    NEXT(UINT32, games)                                                                            \
    NEXT(FLAG, is_bot)                                                                             \
    NEXT(NUMBER, last_ms) /* when the last game with the board's number of players ended */

struct storage_standing {
    STORAGE_MEMBERS(STORAGE_STANDING_COLUMNS)
};

typedef bool storage_standing_row(void *context, const struct storage_standing *standing);

/* Lists, by account, the standings of one account, or of all (`account` is 0), among the ratings of
 * the board's season, if the account has games with the board's number of players. Pending accounts
 * are left out. */
enum storage_result storage_standings_each(struct storage *storage,
                                           const struct storage_board *board, int64_t account,
                                           storage_standing_row *row, void *context) MUST_CHECK;

/* Refunds: rating points given back to accounts, in addition to the rating changes by games. */

#define STORAGE_REFUND_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(BORROWED(STORAGE_WORD_SIZE), game)                                                        \
    NEXT(NUMBER, game_id) /* game in which the account lost the points */                          \
    NEXT(LINK, lost_to)   /* account that had gained the points; 0: all opponents */               \
    NEXT(INT32, season)   /* season of the rating; 0: the rating of all time */                    \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(REAL, mu)

struct storage_refund {
    STORAGE_MEMBERS(STORAGE_REFUND_COLUMNS)
};

#define STORAGE_REFUND_SUM_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(REAL, mu)                                                                                \
    NEXT(FLAG, is_refunded)

struct storage_refund_sum {
    STORAGE_MEMBERS(STORAGE_REFUND_SUM_COLUMNS)
};

#define STATEMENT STATEMENT_DECLARED
#include "storage/ratings/ratings.def"
