#ifndef STORAGE_RATINGS_RERATINGS_H
#define STORAGE_RATINGS_RERATINGS_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Work on ratings that takes more than one turn: what is to be rated again, how far it is, and what
 * has come out so far. One piece of work at a time; the others wait. */

enum storage_rerating_phase {
    STORAGE_RERATING_WAITS = 0,
    STORAGE_RERATING_GAMES = 1,    /* rates games, up to (at_ms, after_id) so far */
    STORAGE_RERATING_ACCOUNTS = 2, /* puts what has come out in force, account by account */
    STORAGE_RERATING_PHASE_LAST = STORAGE_RERATING_ACCOUNTS,
};

#define STORAGE_RERATING_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* oldest first */                                                           \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(LINK, void_id) /* rates what came after this game; 0: all, from the start */              \
    NEXT(CHOICE(storage_rerating_phase, STORAGE_RERATING_PHASE_LAST), phase)                       \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, after_id)

struct storage_rerating {
    STORAGE_MEMBERS(STORAGE_RERATING_COLUMNS)
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
/* Fills all but `account` and `season`, which say what is asked for. */
enum storage_result storage_rerated_get(struct storage *storage,
                                        struct storage_rerated *rerated) MUST_CHECK;

/* Some account that has come out; STORAGE_NOT_FOUND when none is left. */
enum storage_result storage_rerated_any(struct storage *storage, int64_t *account) MUST_CHECK;
/* Forgets an account's. */
enum storage_result storage_rerated_drop(struct storage *storage, int64_t account) MUST_CHECK;

#endif
