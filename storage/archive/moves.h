#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The moves of games (games.h), step by step. */

#define STORAGE_MOVE_SIZE 65 /* size of a move's text with its NUL */

#define STORAGE_MOVE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, game, game_id)                                                                   \
    NEXT(UINT32, step) /* number of the move, from 0 */                                            \
    NEXT(UINT8, seat)                                                                              \
    NEXT(BORROWED(STORAGE_MOVE_SIZE), text,                                                        \
         move) /* the move as histories write it, such as "play:AS" */                             \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, conn) /* connection that sent the request; 0: a bot or the house */               \
    NEXT(NUMBER, request)

struct storage_move {
    STORAGE_MEMBERS(STORAGE_MOVE_COLUMNS)
};

/* Appends moves of one game or of several, in order. The steps of each game must be consecutive.
 * STORAGE_TAKEN when the step exists already; STORAGE_REFUSED when a step before it is missing, or
 * there is no such game. After a refusal that move and the later ones are not written: roll back
 * and read the game again. */
enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count) MUST_CHECK;

typedef bool storage_move_row(void *context, const struct storage_move *move);

/* Reads a game's moves in order, beginning with step `from_step`. STORAGE_OK also when there are
 * none. */
enum storage_result storage_moves_each(struct storage *storage, int64_t game, uint32_t from_step,
                                       storage_move_row *row, void *context) MUST_CHECK;
