#ifndef STORAGE_RATINGS_REFUNDS_H
#define STORAGE_RATINGS_REFUNDS_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Rating that was given back to accounts: what comes on top of what games did. */

#define STORAGE_REFUND_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(BORROWED(STORAGE_WORD_SIZE), game)                                                        \
    NEXT(NUMBER, game_id) /* where it was lost; a sum does not look at it */                       \
    NEXT(LINK, lost_to)   /* whose account gained it; 0: all that was lost there */                \
    NEXT(INT32, season)   /* 0: of all time */                                                     \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(REAL, mu)

struct storage_refund {
    STORAGE_MEMBERS(STORAGE_REFUND_COLUMNS)
};

enum storage_result storage_refund_add(struct storage *storage,
                                       const struct storage_refund *refund) MUST_CHECK;

/* Sums up in `mu` what was given back after `at_ms` up to `until_ms`; the rest says to whom. */
enum storage_result storage_refunds_sum(struct storage *storage, struct storage_refund *refund,
                                        int64_t until_ms) MUST_CHECK;

/* What was given back already of what this rating (account, season) lost in the game: `mu` becomes
 * the sum; *is_same says that all of it was, or what was lost to the same account. */
enum storage_result storage_refunds_given(struct storage *storage, struct storage_refund *refund,
                                          bool *is_same) MUST_CHECK;

/* Forgets what was given back for a game. */
enum storage_result storage_refunds_drop(struct storage *storage, int64_t game_id) MUST_CHECK;

#endif
