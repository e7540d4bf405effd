#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Shared replays of finished games. Their participants are stored with the connections. */

#define STORAGE_REVIEW_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, id)                                                                              \
    NEXT(NUMBER, game, game_id)                                                                    \
    NEXT(NUMBER, step)                                                                             \
    NEXT(NUMBER, seat) /* seat whose hand is shown; -1: the hands of all seats */

struct storage_review {
    STORAGE_MEMBERS(STORAGE_REVIEW_COLUMNS)
};

/* Adds a shared replay, which gets a new number (*id) instead of replay->id. */
enum storage_result storage_review_add(struct storage *storage, const struct storage_review *replay,
                                       int64_t *id) MUST_CHECK;

/* Sets the step and the seat of a shared replay. */
enum storage_result storage_review_set_step(struct storage *storage,
                                            const struct storage_review *replay) MUST_CHECK;

enum storage_result storage_review_read(struct storage *storage, int64_t id,
                                        struct storage_review *replay) MUST_CHECK;

/* Deletes the shared replays that no connection takes part in. */
enum storage_result storage_reviews_delete_empty(struct storage *storage) MUST_CHECK;
