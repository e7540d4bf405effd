#ifndef STORAGE_ARCHIVE_MOVES_H
#define STORAGE_ARCHIVE_MOVES_H

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
    NEXT(NUMBER, conn) /* who sent it, 0 for bots and the house; with the request's id */          \
    NEXT(NUMBER, request)

struct storage_move {
    STORAGE_MEMBERS(STORAGE_MOVE_COLUMNS)
};

/* Appends moves, of one game or several, in order; the steps of a game follow each other without a
 * gap. STORAGE_TAKEN when a step is there already, STORAGE_REFUSED after a gap or without such a
 * game: that move and those after it were not written (roll back, read again). */
enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_move_row(void *context, const struct storage_move *move);

/* A game's moves from step `from` on, in order. A game without moves has none: STORAGE_OK. */
enum storage_result storage_moves_each(struct storage *storage, int64_t game, uint32_t from,
                                       storage_move_row *row, void *context) MUST_CHECK;

#endif
