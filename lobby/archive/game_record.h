#pragma once

#include "games/history.h"
#include "storage/archive/games.h"
#include "storage/storage.h"

/* A stored game with all that its replay needs. */
struct game_record {
    struct storage_game row;
    bool is_known; /* this program knows the game and its options: the source is valid */
    struct history_source source; /* its pointers point into this struct */
    struct history_seat seats[STORAGE_SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
    struct storage_seat_change *rows; /* of the changes, which borrow these names */
    size_t move_count, move_cap;
    size_t row_count, row_cap;
};

/* Reads the game with that number; call game_record_clear in any case. STORAGE_NOT_FOUND when there
 * is none. A stored move that is invalid in this game is MOVE_NONE in the source. */
enum storage_result game_record_read(struct storage *storage, int64_t id,
                                     struct game_record *record) MUST_CHECK;
void game_record_clear(struct game_record *record);

enum game_record_verdict {
    GAME_RECORD_HOLDS = 0,
    GAME_RECORD_UNKNOWN,   /* of a game or options this program does not have */
    GAME_RECORD_MISDEALT,  /* the seed is not the one that was promised */
    GAME_RECORD_BAD_MOVE,  /* a move is refused, or comes after the end */
    GAME_RECORD_NOT_OVER,  /* it is stored as finished, but is not */
    GAME_RECORD_BAD_SCORE, /* the scores or ranks differ from those of its moves */
};

/* Replays a finished game from its seed and compares the result with the stored scores. */
enum storage_result game_record_check(struct storage *storage, const struct game_record *record,
                                      enum game_record_verdict *verdict) MUST_CHECK;

/* The verdict in words for an operator, untranslated. */
const char *game_record_verdict_words(enum game_record_verdict verdict);
