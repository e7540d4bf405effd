#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Re-rating jobs, which take longer than one turn of the event loop: what to rate again, the
 * progress, and the results so far. One job runs at a time; the others wait. */

enum storage_rerating_phase {
    STORAGE_RERATING_WAITS = 0,
    STORAGE_RERATING_GAMES = 1, /* phase in which the games are rated again; the last game rated so
                                   far ended at at_ms and has the number after_id */
    STORAGE_RERATING_ACCOUNTS = 2, /* phase in which results are applied, account by account */
    STORAGE_RERATING_PHASE_LAST = STORAGE_RERATING_ACCOUNTS,
};

#define STORAGE_RERATING_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* number of the job; the lowest number is the oldest job */                 \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(LINK, void_id) /* the games after this void game are rated again; 0: all games */         \
    NEXT(CHOICE(storage_rerating_phase, STORAGE_RERATING_PHASE_LAST), phase)                       \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, after_id)

struct storage_rerating {
    STORAGE_MEMBERS(STORAGE_RERATING_COLUMNS)
};

/* Adds a waiting job. The job gets a new number instead of rerating->id; `phase` is not used. */
enum storage_result storage_rerating_add(struct storage *storage,
                                         const struct storage_rerating *rerating) MUST_CHECK;

/* Reads the oldest job; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_rerating_read_oldest(struct storage *storage,
                                                 struct storage_rerating *rerating) MUST_CHECK;

/* Stores a job's phase, at_ms and after_id; STORAGE_NOT_FOUND when there is no such job. */
enum storage_result storage_rerating_save(struct storage *storage,
                                          const struct storage_rerating *rerating) MUST_CHECK;
enum storage_result storage_rerating_delete(struct storage *storage, int64_t id) MUST_CHECK;

/* The result of re-rating for one account: its new all-time rating (season 0) or its new rating of
 * a season. */
#define STORAGE_RERATING_RESULT_COLUMNS(FIRST, NEXT)                                               \
    FIRST(NUMBER, account)                                                                         \
    NEXT(INT32, season)                                                                            \
    NEXT(REAL, mu)                                                                                 \
    NEXT(REAL, sigma) /* as of as_of_ms */                                                         \
    NEXT(NUMBER, as_of_ms)

struct storage_rerating_result {
    STORAGE_MEMBERS(STORAGE_RERATING_RESULT_COLUMNS)
};

/* Adds a result of re-rating or replaces it. */
enum storage_result
storage_rerating_result_put(struct storage *storage,
                            const struct storage_rerating_result *rerated) MUST_CHECK;
/* Reads the result of re-rating for the given `account` and `season`. */
enum storage_result
storage_rerating_result_read(struct storage *storage,
                             struct storage_rerating_result *rerated) MUST_CHECK;

/* Finds any account that still has a result of re-rating; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_rerating_result_find_any_account(struct storage *storage,
                                                             int64_t *account) MUST_CHECK;
/* Deletes an account's results of re-rating. */
enum storage_result storage_rerating_results_delete(struct storage *storage,
                                                    int64_t account) MUST_CHECK;
