#ifndef STORAGE_ARCHIVE_MOVES_H
#define STORAGE_ARCHIVE_MOVES_H

#include "storage/storage.h"

/* The moves of games (games.h), step by step. */

#define STORAGE_MOVE_SIZE 65 /* a move's text */

struct storage_move {
    int64_t game;
    uint32_t step; /* from 0 */
    uint8_t seat;
    const char *text; /* as in histories: "play:AS" */
    int64_t at_ms;
    int64_t conn; /* who sent it, 0 for bots and the house; with the request's id */
    int64_t request;
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
