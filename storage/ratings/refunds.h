#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Rating given back to accounts, in addition to the changes by games. */

#define STORAGE_REFUND_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(BORROWED(STORAGE_WORD_SIZE), game)                                                        \
    NEXT(NUMBER, game_id) /* game of the loss; sums ignore it */                                   \
    NEXT(LINK, lost_to)   /* who gained it; 0: refunds the whole loss */                           \
    NEXT(INT32, season)   /* 0: of all time */                                                     \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(REAL, mu)

struct storage_refund {
    STORAGE_MEMBERS(STORAGE_REFUND_COLUMNS)
};

enum storage_result storage_refund_add(struct storage *storage,
                                       const struct storage_refund *refund) MUST_CHECK;

/* Sums into `mu` what this rating (account, game, season) got back after `at_ms` and up to
 * `until_ms`. */
enum storage_result storage_refunds_sum(struct storage *storage, struct storage_refund *refund,
                                        int64_t until_ms) MUST_CHECK;

/* Sums into `mu` what this rating (account, season) got back of its loss in the game. *is_same
 * tells whether the whole loss, or the loss to the same account, was given back already. */
enum storage_result storage_refunds_of_game(struct storage *storage, struct storage_refund *refund,
                                            bool *is_same) MUST_CHECK;

/* Deletes the refunds for a game. */
enum storage_result storage_refunds_delete(struct storage *storage, int64_t game_id) MUST_CHECK;
