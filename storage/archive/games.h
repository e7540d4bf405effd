#pragma once

#include "storage/archive/seats.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Games: set-up, seed, moves and results. Replaying the moves gives a game's state. */

/* Stored: the numbers never change. */
enum storage_game_state {
    STORAGE_GAME_PLAYING = 0,
    STORAGE_GAME_FINISHED = 1,
    STORAGE_GAME_CUT = 2,  /* ended early: all players left, or the house closed the table */
    STORAGE_GAME_VOID = 3, /* finished, then declared void */
    STORAGE_GAME_STATE_LAST = STORAGE_GAME_VOID,
};

#define STORAGE_GAME_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, id) /* 1 or more, rising, never used again */                                    \
    NEXT(NUMBER, table, table_id)                                                                  \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(CHOICE8(STORAGE_SEATS_MAX), players)                                                      \
    NEXT(UINT8, format)                       /* format number in HISTORY.md */                    \
    NEXT(TEXT(STORAGE_OPTIONS_SIZE), options) /* a JSON object */                                  \
    NEXT(BYTES(STORAGE_SEED_BYTES), seed)     /* secret until the game is finished */              \
    NEXT(BYTES(STORAGE_SEED_BYTES), commitment)                                                    \
    NEXT(FLAG, is_rated) /* may be rated; once finished: was rated */                              \
    NEXT(CHOICE(storage_game_state, STORAGE_GAME_STATE_LAST), state)                               \
    NEXT(NUMBER, started_ms)                                                                       \
    NEXT(NUMBER, finished_ms) /* 0 while the game is played */

struct storage_game {
    STORAGE_MEMBERS(STORAGE_GAME_COLUMNS)
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* as they were at the start */
};

/* Adds a game that begins now; `id`, `state` and `finished_ms` are ignored, *id is set. */
enum storage_result storage_game_start(struct storage *storage, const struct storage_game *game,
                                       int64_t *id) MUST_CHECK;
enum storage_result storage_game_read(struct storage *storage, int64_t id,
                                      struct storage_game *game) MUST_CHECK;

/* A seat that changed hands before the move `step` was made. */
#define STORAGE_CHANGE_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(UINT32, step)                                                                            \
    NEXT(UINT8, seat)

struct storage_seat_change {
    STORAGE_MEMBERS(STORAGE_CHANGE_COLUMNS)
    struct storage_seat who;
};

enum storage_result storage_seat_change_add(struct storage *storage, int64_t game,
                                            const struct storage_seat_change *change) MUST_CHECK;

typedef bool storage_seat_change_row(void *context, const struct storage_seat_change *change);

/* A game's seat changes, in the order they were made. */
enum storage_result storage_seat_changes_each(struct storage *storage, int64_t game,
                                              storage_seat_change_row *row,
                                              void *context) MUST_CHECK;

/* One player's result. A player who left for good has a row of their own; so has whoever took over
 * the seat. */
#define STORAGE_SCORE_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(UINT8, seat)                                                                             \
    NEXT(INT32, score)                                                                             \
    NEXT(UINT8, rank) /* 1 is best, ties share; a leaver ranks below all who finished */           \
    NEXT(FLAG, is_winner)                                                                          \
    NEXT(UINT32, stat_hits) /* the game's statistic: hits out of chances */                        \
    NEXT(UINT32, stat_chances)                                                                     \
    NEXT(FLAG, left_for_good)

struct storage_score {
    STORAGE_MEMBERS(STORAGE_SCORE_COLUMNS)
    struct storage_seat who;
};

#define STORAGE_SCORES_MAX 32 /* all seats, and everybody who left */

/* Ends a game in play (else STORAGE_NOT_FOUND) and stores its scores in display order, best first.
 * `is_rated` tells whether the game counts. */
struct storage_finish {
    int64_t game;
    enum storage_game_state state;
    int64_t finished_ms;
    bool is_rated;
    const struct storage_score *scores;
    size_t score_count; /* at most STORAGE_SCORES_MAX */
};
enum storage_result storage_game_finish(struct storage *storage,
                                        const struct storage_finish *finish) MUST_CHECK;

/* Declares a finished game void; STORAGE_NOT_FOUND when it is not finished, or is void already. */
enum storage_result storage_game_void(struct storage *storage, int64_t game) MUST_CHECK;

/* Reads the scores of an ended game in the order they were stored: at most `capacity`, their number
 * into *count. */
enum storage_result storage_scores_read(struct storage *storage, int64_t game,
                                        struct storage_score *scores, size_t capacity,
                                        size_t *count) MUST_CHECK;
