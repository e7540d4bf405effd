#ifndef GAMES_HISTORY_H
#define GAMES_HISTORY_H

#include "games/game.h"

/*
 * HISTORY.md's "History", written from what is stored: the set-up, the seed and the moves. The
 * text leaves piece by piece, so a game of any length needs no memory.
 */

#define HISTORY_FORMAT "trickhouse-history/" /* then the config's format */
#define HISTORY_VIRTUAL_NAME "virtual"
#define HISTORY_NAME_MAX 64

struct history_seat {
    const char *name; /* UTF-8 */
    const char *bot;  /* policy, NULL for a person */
};

/* A seat that changed hands before the move number `step` (0-based) was made. */
struct history_change {
    uint32_t step;
    uint8_t seat;
    struct history_seat who;
};

struct history_move {
    uint8_t seat;
    uint8_t move;
};

struct history_source {
    int64_t id;
    const struct game_def *game;
    struct game_config config;
    const struct history_seat *seats; /* config.players of them */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32]; /* SHA-256 of the seed; by the caller, who has a library for it */
    const struct history_move *moves;
    uint32_t move_count;
    const struct history_change *changes; /* ascending by step */
    uint32_t change_count;
    bool with_legal; /* add the legal set to every move */
};

enum history_result {
    HISTORY_OK = 0,
    HISTORY_BAD_CONFIG,
    HISTORY_BAD_MOVE, /* a stored move was refused: the record is corrupt */
};

/* Receives the JSON text in pieces, in order, without a final newline. */
typedef void history_sink(void *context, const char *bytes, size_t len);

/* Replays and writes. An unfinished game has `seed` and `result` null and no `end`. On an error
 * nothing was written. Names are shorter than HISTORY_NAME_MAX bytes. A change of step move_count
 * stands last in an unfinished game; after the end there are none. */
enum history_result history_write(const struct history_source *source, history_sink *sink,
                                  void *context) MUST_CHECK;

/* The `result` of a finished game, whose set-up has `seats` seats, virtual ones included
 * (game_seats). */
void history_result_of(const struct game_def *game, uint8_t seats, const struct game_state *state,
                       struct fields *out);

#endif
