#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Re-rating jobs, which take more than one turn: what to rate again, the progress, and the results
 * so far. One job runs at a time; the others wait. */

enum storage_rerating_phase {
    STORAGE_RERATING_WAITS = 0,
    STORAGE_RERATING_GAMES = 1,    /* rates games; done up to (at_ms, after_id) */
    STORAGE_RERATING_ACCOUNTS = 2, /* applies the results, account by account */
    STORAGE_RERATING_PHASE_LAST = STORAGE_RERATING_ACCOUNTS,
};

#define STORAGE_RERATING_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* the lowest is the oldest */                                               \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(LINK, void_id) /* rates the games after this one; 0: all games */                         \
    NEXT(CHOICE(storage_rerating_phase, STORAGE_RERATING_PHASE_LAST), phase)                       \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, after_id)

struct storage_rerating {
    STORAGE_MEMBERS(STORAGE_RERATING_COLUMNS)
};

/* Adds a waiting job; `id` and `phase` are ignored. */
enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating) MUST_CHECK;

/* The oldest job; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_rerating_first(struct storage *storage,
                                           struct storage_rerating *rerating) MUST_CHECK;

/* Stores phase, at_ms and after_id; STORAGE_NOT_FOUND when there is no such job. */
enum storage_result storage_rerating_save(struct storage *storage,
                                          const struct storage_rerating *rerating) MUST_CHECK;
enum storage_result storage_rerating_delete(struct storage *storage, int64_t id) MUST_CHECK;

/* The result for one account: its new rating of all time (season 0) or of a season. */
#define STORAGE_RERATED_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(NUMBER, account)                                                                         \
    NEXT(INT32, season)                                                                            \
    NEXT(REAL, mu)                                                                                 \
    NEXT(REAL, sigma) /* as of as_of_ms */                                                         \
    NEXT(NUMBER, as_of_ms)

struct storage_rerated {
    STORAGE_MEMBERS(STORAGE_RERATED_COLUMNS)
};

/* Adds or replaces. */
enum storage_result storage_rerated_put(struct storage *storage,
                                        const struct storage_rerated *rerated) MUST_CHECK;
/* Reads the result for the given `account` and `season`. */
enum storage_result storage_rerated_get(struct storage *storage,
                                        struct storage_rerated *rerated) MUST_CHECK;

/* Some account with a result left; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_rerated_find_any(struct storage *storage, int64_t *account) MUST_CHECK;
/* Deletes the results of an account. */
enum storage_result storage_rerated_delete(struct storage *storage, int64_t account) MUST_CHECK;
