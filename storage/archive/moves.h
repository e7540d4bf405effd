#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The moves of games (games.h), step by step. */

#define STORAGE_MOVE_SIZE 65 /* a move's text */

#define STORAGE_MOVE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, game, game_id)                                                                   \
    NEXT(UINT32, step) /* from 0 */                                                                \
    NEXT(UINT8, seat)                                                                              \
    NEXT(BORROWED(STORAGE_MOVE_SIZE), text, move) /* as in histories: "play:AS" */                 \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, conn) /* with `request`: its origin; 0: a bot or the house */                     \
    NEXT(NUMBER, request)

struct storage_move {
    STORAGE_MEMBERS(STORAGE_MOVE_COLUMNS)
};

/* Appends moves of one game or several, in order. The steps of each game must be consecutive.
 * STORAGE_TAKEN when the step exists already; STORAGE_REFUSED when a step is missing before it, or
 * there is no such game. The refused move and those after it are not written: roll back and read
 * again. */
enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count) MUST_CHECK;

typedef bool storage_move_row(void *context, const struct storage_move *move);

/* Reads a game's moves from step `from` on, in order. STORAGE_OK also when there is no move. */
enum storage_result storage_moves_each(struct storage *storage, int64_t game, uint32_t from,
                                       storage_move_row *row, void *context) MUST_CHECK;
