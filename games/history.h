#pragma once

#include "games/game.h"

/*
 * Writes a history (HISTORY.md) from what is stored: the set-up, the seed and the moves. The text
 * is passed on in pieces, so a game of any length needs no more memory.
 */

#define HISTORY_FORMAT "trickhouse-history/" /* the format's name; GAME_FORMAT follows */
#define HISTORY_VIRTUAL_NAME "virtual"
#define HISTORY_NAME_MAX 64

struct history_seat {
    const char *name; /* the player's name in UTF-8 */
    const char *bot;  /* the bot's policy; NULL for a person */
};

/* A seat was taken over by another player before move number `step` (from 0). */
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
    const struct history_seat *seats; /* one entry for each player */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32]; /* SHA-256 of the seed. The caller computes it, because games/ has no
                               cryptographic library */
    const struct history_move *moves;
    uint32_t move_count;
    const struct history_change *changes; /* in ascending order of step */
    uint32_t change_count;
    bool with_legal; /* true: write the legal moves with every move */
};

enum history_result {
    HISTORY_OK = 0,
    HISTORY_BAD_CONFIG,
    HISTORY_BAD_MOVE, /* a stored move was refused, so the record is corrupt */
};

/* Receives the JSON text in pieces, in order, without a newline at the end. */
typedef void history_sink(void *context, const char *bytes, size_t len);

/* Replays the game and writes its history. In an unfinished game `seed` and `result` are null and
 * there is no `end`. On an error nothing has been written. Names are shorter than HISTORY_NAME_MAX
 * bytes. In an unfinished game, a seat change whose step is move_count is written last. A finished
 * game has no seat change after its end. */
enum history_result history_write(const struct history_source *source, history_sink *sink,
                                  void *context) MUST_CHECK;

/* The `result` of a finished game. `seat_count` includes virtual seats (game_seats). */
void history_fill_result(const struct game_def *game, uint8_t seat_count,
                         const struct game_state *state, struct fields *out);
