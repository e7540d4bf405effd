#pragma once

#include "storage/ratings/boards.h"
#include "storage/ratings/ratings.h"
#include "storage/ratings/tallies.h"

/* The rows of a leaderboard (boards.h). */

/* Selects the rows of a board. */
struct storage_listing {
    struct storage_board board;
    bool is_young; /* the rows that do not qualify instead */
    int64_t now_ms;
};

struct storage_leader {
    uint32_t rank;                /* 1 is best, ties share; 0: not on the list */
    uint32_t index;               /* position in the list, from 0; the neighbours' offset */
    struct storage_rating rating; /* of all time, or of the season */
    struct storage_tally tally;   /* of the board's games; whole days (UTC) */
    char name[STORAGE_NAME_SIZE];
    uint8_t kind; /* enum storage_kind */
    uint8_t role; /* enum storage_role */
    int64_t seen_ms;
    double change_week_mu; /* over 7 whole days (UTC) and today; within the season */
};

struct storage_leaders_page {
    struct storage_leader *rows; /* the caller's array of `capacity` */
    size_t capacity;
    size_t count;   /* set: rows filled */
    uint32_t total; /* set: rows in the whole list */
};

/* Counts the rows of a list. */
enum storage_result storage_leaders_count(struct storage *storage,
                                          const struct storage_listing *listing,
                                          uint32_t *total) MUST_CHECK;

/* Fills the page with the rows of the list from `offset` on. The highest mu comes first; rows of
 * equal mu share a rank and are ordered by account. */
enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing, uint32_t offset,
                                         struct storage_leaders_page *page) MUST_CHECK;

/* The mu by which the list ranks an account; STORAGE_NOT_FOUND when the account is not on the
 * list. */
enum storage_result storage_leader_read_mu(struct storage *storage,
                                           const struct storage_listing *listing, int64_t account,
                                           double *mu) MUST_CHECK;

/* Reads one account's row, on the list or not; STORAGE_NOT_FOUND when the account has no rated game
 * that the board counts. */
enum storage_result storage_leader_read(struct storage *storage,
                                        const struct storage_listing *listing, int64_t account,
                                        struct storage_leader *leader) MUST_CHECK;
