#pragma once

#include "storage/archive/seats.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Games: set-up, seed, moves and results. A game's state is not stored: replaying the moves yields
 * the state. */

/* The values of this enum are stored: they never change. */
enum storage_game_state {
    STORAGE_GAME_PLAYING = 0,
    STORAGE_GAME_FINISHED = 1,
    /* the game ended early: all players left, or the house closed the table */
    STORAGE_GAME_CUT = 2,
    STORAGE_GAME_VOID = 3, /* the game was finished, then declared void */
    STORAGE_GAME_STATE_LAST = STORAGE_GAME_VOID,
};

#define STORAGE_GAME_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, id) /* number of the game, from 1, rising; never used again */                   \
    NEXT(NUMBER, table, table_id)                                                                  \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(CHOICE8(STORAGE_SEATS_MAX), players)                                                      \
    NEXT(UINT8, format)                       /* number of the history format (HISTORY.md) */      \
    NEXT(TEXT(STORAGE_OPTIONS_SIZE), options) /* options of the game, a JSON object */             \
    NEXT(BYTES(STORAGE_SEED_BYTES),                                                                \
         seed) /* seed of the deals; secret until the game is finished */                          \
    NEXT(BYTES(STORAGE_SEED_BYTES), commitment)                                                    \
    NEXT(FLAG, is_rated) /* for a finished game, whether it was rated; for a game in play, whether \
                            it may be rated */                                                     \
    NEXT(CHOICE(storage_game_state, STORAGE_GAME_STATE_LAST), state)                               \
    NEXT(NUMBER, started_ms)                                                                       \
    NEXT(NUMBER, finished_ms) /* when the game finished; 0 while it is in play */

struct storage_game {
    STORAGE_MEMBERS(STORAGE_GAME_COLUMNS)
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* the seats at the start of the game */
};

/* Adds a game that begins now. The game gets a new number (*id) instead of game->id; `state` and
 * `finished_ms` are not used. */
enum storage_result storage_game_start(struct storage *storage, const struct storage_game *game,
                                       int64_t *id) MUST_CHECK;
enum storage_result storage_game_read(struct storage *storage, int64_t id,
                                      struct storage_game *game) MUST_CHECK;

/* Another player took a seat over, before move number `step` was made. */
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

/* Lists a game's seat changes in the order they were made. */
enum storage_result storage_seat_changes_each(struct storage *storage, int64_t game,
                                              storage_seat_change_row *row,
                                              void *context) MUST_CHECK;

/* One player's result in a game. A player who left for good and the player who took over the seat
 * have a row each. */
#define STORAGE_SCORE_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(UINT8, seat)                                                                             \
    NEXT(INT32, score)                                                                             \
    NEXT(UINT8, rank) /* 1 is best, ties share; players who left rank below all who finished */    \
    NEXT(FLAG, is_winner)                                                                          \
    NEXT(UINT32, stat_hits) /* successes in the game's own statistic, such as exact bids */        \
    NEXT(UINT32, stat_chances)                                                                     \
    NEXT(FLAG, left_for_good)

struct storage_score {
    STORAGE_MEMBERS(STORAGE_SCORE_COLUMNS)
    struct storage_seat who;
};

/* the most scores of one game: one for each seat and each player who left */
#define STORAGE_SCORES_MAX 32

/* Ends a game in play (otherwise STORAGE_NOT_FOUND) and stores its scores in display order, best
 * first. `is_rated` tells whether the game is rated. */
struct storage_finish {
    int64_t game;
    enum storage_game_state state;
    int64_t finished_ms;
    bool is_rated;
    const struct storage_score *scores;
    size_t score_count; /* number of scores, at most STORAGE_SCORES_MAX */
};
enum storage_result storage_game_finish(struct storage *storage,
                                        const struct storage_finish *finish) MUST_CHECK;

/* Deletes a game in play with its moves and seats, as if it had not begun; its number is not used
 * again. */
enum storage_result storage_game_delete(struct storage *storage, int64_t game) MUST_CHECK;

/* Declares a finished game void; STORAGE_NOT_FOUND when the game is not finished, or is void
 * already. */
enum storage_result storage_game_void(struct storage *storage, int64_t game) MUST_CHECK;

/* Reads the scores of an ended game in the order they were stored: at most `capacity`. Sets *count
 * to their number. */
enum storage_result storage_scores_read(struct storage *storage, int64_t game,
                                        struct storage_score *scores, size_t capacity,
                                        size_t *count) MUST_CHECK;
