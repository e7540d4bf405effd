#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Who holds a seat, at tables and in games. The values of the enum are stored: they never
 * change. */
enum storage_holder {
    STORED_VALUES(STORED_HOLDERS, STORAGE_SEAT_) STORAGE_HOLDER_LAST = STORED_LAST(STORED_HOLDERS),
};

#define STORAGE_SEAT_COLUMNS(FIRST, NEXT) STORAGE_SEAT_COLUMNS_IN(FIRST, NEXT, )
/* The same columns for a struct storage_seat that is a member of the row's struct, such as `who.`.
 */
#define STORAGE_SEAT_COLUMNS_IN(FIRST, NEXT, member)                                               \
    FIRST(CHOICE(storage_holder, STORAGE_HOLDER_LAST), member holder, holder)                      \
    NEXT(LINK, member account, account)                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), member name, name)                                               \
    NEXT(TEXT(STORAGE_WORD_SIZE), member policy, policy)

struct storage_seat {
    STORAGE_MEMBERS(STORAGE_SEAT_COLUMNS)
    bool is_absent; /* at tables only: a bot plays until the seat's holder returns */
};

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
#define STORAGE_CHANGE_ALL_COLUMNS(FIRST, NEXT)                                                    \
    STORAGE_CHANGE_COLUMNS(FIRST, NEXT) STORAGE_SEAT_COLUMNS_IN(NEXT, NEXT, who.)

struct storage_seat_change {
    STORAGE_MEMBERS(STORAGE_CHANGE_COLUMNS)
    struct storage_seat who;
};

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
#define STORAGE_SCORE_ALL_COLUMNS(FIRST, NEXT)                                                     \
    STORAGE_SCORE_COLUMNS(FIRST, NEXT) STORAGE_SEAT_COLUMNS_IN(NEXT, NEXT, who.)

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

/* The moves of games, step by step. */

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

/* Past games: who played them, with whom, how often. */

#define STORAGE_PAST_GAME_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(NUMBER, game_id)                                                                         \
    NEXT(CHOICE8(STORAGE_SCORES_MAX - 1),                                                          \
         own) /* index in `scores` of the account or guest whose games are listed */               \
    NEXT(TEXT(STORAGE_WORD_SIZE), game)                                                            \
    NEXT(NUMBER, finished_ms)                                                                      \
    NEXT(FLAG, is_rated)                                                                           \
    NEXT(FLAG, has_change)                                                                         \
    NEXT(REAL, change_mu) /* change of the account's mu by this game, if has_change */

struct storage_past_game {
    STORAGE_MEMBERS(STORAGE_PAST_GAME_COLUMNS)
    size_t score_count;
    struct storage_score scores[STORAGE_SCORES_MAX];
};

typedef bool storage_past_game_row(void *context, const struct storage_past_game *played);

/* A rated game that has ended, void ones included. */
#define STORAGE_ENDED_GAME_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, game_id, id)                                                                     \
    NEXT(NUMBER, at_ms, finished_ms)

struct storage_ended_game {
    STORAGE_MEMBERS(STORAGE_ENDED_GAME_COLUMNS)
};

#define STATEMENT STATEMENT_DECLARED
#include "storage/archive/archive.def"
