#pragma once

#include "storage/ratings/boards.h"
#include "storage/ratings/ratings.h"
#include "storage/ratings/tallies.h"

/* The rows of a leaderboard (boards.h). */

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

struct storage_leaders_page {
    struct storage_leader *rows; /* the caller's array with room for `capacity` rows */
    size_t capacity;
    size_t count;   /* number of rows filled in */
    uint32_t total; /* number of rows in the whole list */
};

/* Counts the rows that a listing selects. */
enum storage_result storage_leaders_count(struct storage *storage,
                                          const struct storage_listing *listing,
                                          uint32_t *total) MUST_CHECK;

/* Fills the page with the list's rows, beginning with the row at `offset`. The highest mu comes
 * first; rows of equal mu share a rank and are ordered by account. */
enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing, uint32_t offset,
                                         struct storage_leaders_page *page) MUST_CHECK;

/* Reads the mu by which the list ranks an account; STORAGE_NOT_FOUND when the account is not on the
 * list. */
enum storage_result storage_leader_read_mu(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           double *mu) MUST_CHECK;

/* Reads the row of one account, whether it is on the list or not; STORAGE_NOT_FOUND when the
 * account has no rated game that the board counts. */
enum storage_result storage_leader_read(struct storage *storage,
                                        const struct storage_listing *listing, int64_t account,
                                        struct storage_leader *leader) MUST_CHECK;
