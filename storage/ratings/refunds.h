#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Refunds: rating points given back to accounts, in addition to the rating changes by games. */

#define STORAGE_REFUND_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(BORROWED(STORAGE_WORD_SIZE), game)                                                        \
    NEXT(NUMBER, game_id) /* game in which the account lost the points */                          \
    NEXT(LINK, lost_to)   /* account that had gained the points; 0: all opponents */               \
    NEXT(INT32, season)   /* season of the rating; 0: the rating of all time */                    \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(REAL, mu)

struct storage_refund {
    STORAGE_MEMBERS(STORAGE_REFUND_COLUMNS)
};

enum storage_result storage_refund_add(struct storage *storage,
                                       const struct storage_refund *refund) MUST_CHECK;

/* Sums the refunds that refund->account got after refund->at_ms and until `until_ms` for its rating
 * in refund->game and refund->season. Sets refund->mu to the sum. */
enum storage_result storage_refunds_sum(struct storage *storage, struct storage_refund *refund,
                                        int64_t until_ms) MUST_CHECK;

/* Sums the refunds that refund->account got for its loss in the game refund->game_id, in the rating
 * of refund->season. Sets refund->mu to the sum, and *is_refunded to whether the whole loss, or the
 * loss to refund->lost_to, has been refunded already. */
enum storage_result storage_refund_sum_of_loss(struct storage *storage,
                                               struct storage_refund *refund,
                                               bool *is_refunded) MUST_CHECK;

/* Deletes the refunds of losses in a game. */
enum storage_result storage_refunds_delete(struct storage *storage, int64_t game_id) MUST_CHECK;
