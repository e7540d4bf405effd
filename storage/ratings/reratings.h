#ifndef STORAGE_RATINGS_RERATINGS_H
#define STORAGE_RATINGS_RERATINGS_H

#include "storage/storage.h"

/* Work on ratings that takes more than one turn: what is to be rated again, how far it is, and what
 * has come out so far. One piece of work at a time; the others wait. */

enum storage_rerating_phase {
    STORAGE_RERATING_WAITS = 0,
    STORAGE_RERATING_GAMES = 1,    /* rates games, up to (at_ms, after_id) so far */
    STORAGE_RERATING_ACCOUNTS = 2, /* puts what has come out in force, account by account */
    STORAGE_RERATING_PHASE_LAST = STORAGE_RERATING_ACCOUNTS,
};

struct storage_rerating {
    int64_t id; /* oldest first */
    char game[STORAGE_WORD_SIZE];
    int64_t void_id; /* what came after this game; 0: all of them, from nothing */
    enum storage_rerating_phase phase;
    int64_t at_ms;
    int64_t after_id;
};

/* Adds work that waits; `id` and `phase` are ignored. */
enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating) MUST_CHECK;

/* The oldest; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_rerating_first(struct storage *storage,
                                           struct storage_rerating *rerating) MUST_CHECK;

/* Stores phase, at_ms and after_id; STORAGE_NOT_FOUND when there is none of that id. */
enum storage_result storage_rerating_save(struct storage *storage,
                                          const struct storage_rerating *rerating) MUST_CHECK;
enum storage_result storage_rerating_end(struct storage *storage, int64_t id) MUST_CHECK;

/* What an account's rating has become, of all time (season 0) or a season. */
struct storage_rerated {
    int64_t account;
    int32_t season;
    double mu;
    double sigma; /* as of as_of_ms */
    int64_t as_of_ms;
};

/* Adds or replaces. */
enum storage_result storage_rerated_put(struct storage *storage,
                                        const struct storage_rerated *rerated) MUST_CHECK;
/* Fills all but `account` and `season`, which say what is asked for. */
enum storage_result storage_rerated_get(struct storage *storage,
                                        struct storage_rerated *rerated) MUST_CHECK;

/* Some account that has come out; STORAGE_NOT_FOUND when none is left. */
enum storage_result storage_rerated_any(struct storage *storage, int64_t *account) MUST_CHECK;
/* Forgets an account's. */
enum storage_result storage_rerated_drop(struct storage *storage, int64_t account) MUST_CHECK;

#endif
