#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Shared replays of finished games. The row of a connection says which shared replay the person
 * takes part in. */

#define STORAGE_SHARED_REPLAY_COLUMNS(FIRST, NEXT)                                                 \
    FIRST(NUMBER, id)                                                                              \
    NEXT(NUMBER, game, game_id)                                                                    \
    NEXT(NUMBER, step)                                                                             \
    NEXT(NUMBER, seat) /* seat whose hand is shown; -1: the hands of all seats */

struct storage_shared_replay {
    STORAGE_MEMBERS(STORAGE_SHARED_REPLAY_COLUMNS)
};

/* Adds a shared replay, which gets a new number (*id) instead of replay->id. */
enum storage_result storage_shared_replay_add(struct storage *storage,
                                              const struct storage_shared_replay *replay,
                                              int64_t *id) MUST_CHECK;

/* Sets the step and the seat of a shared replay. */
enum storage_result
storage_shared_replay_set_step(struct storage *storage,
                               const struct storage_shared_replay *replay) MUST_CHECK;

enum storage_result storage_shared_replay_read(struct storage *storage, int64_t id,
                                               struct storage_shared_replay *replay) MUST_CHECK;

/* Deletes the shared replays that no connection takes part in. */
enum storage_result storage_shared_replays_delete_empty(struct storage *storage) MUST_CHECK;
