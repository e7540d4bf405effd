#ifndef STORAGE_RATINGS_BOARDS_H
#define STORAGE_RATINGS_BOARDS_H

#include "storage/ratings/ratings.h"
#include "storage/storage.h"

/*
 * The leaderboards. A board is a list of accounts by rating, kept in order as ratings change; what
 * it shows is found, never counted, so its price does not grow with the house. Who qualifies and
 * until when is the caller's (lobby/ratings/rating.h).
 *
 * Two kinds of rows stand on a board: those listed, and those whose rating does not qualify. Held
 * accounts are kept off both by the database itself.
 */

/* Of the last so long; else the number of a season, above both. */
enum storage_span {
    STORAGE_SPAN_ALL = 0,
    STORAGE_SPAN_MONTH = 1, /* 30 days */
    STORAGE_SPAN_WEEK = 2,  /* 7 days */
    STORAGE_SPAN_SEASONS = 3,
};

struct storage_board {
    const char *game;
    int32_t span;    /* enum storage_span or a season */
    uint8_t players; /* games with so many; 0: any number */
    bool is_bots;    /* bots and people have separate lists */
};

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

/* Sums over an account's rated games of one game. */
struct storage_tally {
    int64_t last_ms; /* end of the last of them */
    uint32_t games;
    double wins;
    double place_sum;
    uint32_t stat_hits;
    uint32_t stat_chances;
    uint32_t finished;
    uint32_t left;
};

/* Adds one game's change (`sign` 1) to the tallies of all time, its season and its day, or takes it
 * out again (-1; then last_ms stays as it was). Days are kept for a month. */
enum storage_result storage_tally_change(struct storage *storage,
                                         const struct storage_rating_change *change,
                                         int sign) MUST_CHECK;

/* After changes were taken out and away: sets last_ms again, but for days, from those left. */
enum storage_result storage_tallies_mend(struct storage *storage, int64_t account,
                                         const char *game) MUST_CHECK;

/* Return false to stop. `players` are those of the games; only numbers with a game are told. */
typedef bool storage_tally_row(void *context, uint8_t players, const struct storage_tally *tally);

/* An account's tallies of all time (span STORAGE_SPAN_ALL) or of a season, by number of players. */
enum storage_result storage_tallies_each(struct storage *storage, int64_t account,
                                         const struct storage_board *board, storage_tally_row *row,
                                         void *context) MUST_CHECK;

/* Which rows of a board are asked for. */
struct storage_listing {
    struct storage_board board;
    bool is_young; /* those that do not qualify */
    int64_t now_ms;
};

struct storage_leader {
    uint32_t rank;                /* 1 is best, ties share; 0: not among the rows asked for */
    uint32_t index;               /* place in the list, from 0: for asking for the neighbours */
    struct storage_rating rating; /* of all time, or of the season */
    struct storage_tally tally;   /* of the games that fit the board; days are whole ones (UTC) */
    char name[STORAGE_NAME_SIZE];
    uint8_t kind; /* enum storage_kind */
    uint8_t role; /* enum storage_role */
    int64_t seen_ms;
    double change_week_mu; /* in 7 days, whole ones (UTC), and today; within the season */
};

struct storage_leaders_page {
    struct storage_leader *rows; /* the caller's, room for `capacity` */
    size_t capacity;
    size_t count;   /* set: how many were filled */
    uint32_t total; /* set: in the whole list */
};

/* How many rows such a list has. */
enum storage_result storage_leaders_count(struct storage *storage,
                                          const struct storage_listing *listing,
                                          uint32_t *total) MUST_CHECK;

/* Fills the page with the rows of the list from `offset` on. Highest mu first; equal mu share a
 * rank and go by account. */
enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing, uint32_t offset,
                                         struct storage_leaders_page *page) MUST_CHECK;

/* The mu by which an account stands on the list; STORAGE_NOT_FOUND when it does not. */
enum storage_result storage_leader_mu(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      double *mu) MUST_CHECK;

/* One account's row, on the list or not; STORAGE_NOT_FOUND without a rated game that fits. */
enum storage_result storage_leader_of(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      struct storage_leader *leader) MUST_CHECK;

#endif
