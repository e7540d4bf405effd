#ifndef STORAGE_RATINGS_LEADERS_H
#define STORAGE_RATINGS_LEADERS_H

#include "storage/ratings/boards.h"
#include "storage/ratings/ratings.h"
#include "storage/ratings/tallies.h"

/* The rows that a leaderboard shows (boards.h). */

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
