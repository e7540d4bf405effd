#pragma once

#include "games/game.h"

/*
 * Runs a property test in every game of games.def, with every number of players, every combination
 * of options and every format. A property is a check of one game in progress, written once for all
 * games.
 */

/* One random game of a property test, and the source of its random choices. */
struct trial {
    const struct game_def *game;
    struct game_config config;
    uint8_t seats;
    uint8_t seed[SEED_BYTES];
    struct quick_random random;
    struct game_state state;
};

typedef void trial_check(struct trial *trial);

/* Starts `games` games with every config (number of players, options and format) and passes each
 * game to the check. If the environment variable PROPERTY_GAMES is set, plays that many games of
 * every game instead, spread evenly over its configs. With TEST_PART it leaves configs out. */
void property_run_check(trial_check *check, unsigned games);

/* Returns true with a chance of one in `one_in`, for checks that are too slow to run after every
 * move. With PROPERTY_GAMES the chance is one in 8 * `one_in`, because many more games are
 * played. */
bool trial_draw_yes_or_no(struct trial *trial, uint32_t one_in);

/* Starts the trial's game from its seed, even if it has been played before. */
void trial_start(struct trial *trial, const struct game_log *log);

/* Chooses a random seat that may move; false when the game is over. */
bool trial_choose_seat(struct trial *trial, uint8_t *seat);

/* Returns a random legal move of the seat. */
uint8_t trial_choose_move(struct trial *trial, uint8_t seat);

/* Makes a move; fails the test if the move is refused. */
void trial_make_move(struct trial *trial, uint8_t seat, uint8_t move, const struct game_log *log);

/* Plays random moves until the game is over. */
void trial_finish(struct trial *trial, const struct game_log *log);

/* Writes the view as text into the caller's buffer of VIEW_TEXT_MAX bytes. */
void trial_write_view(const struct game_view *view, char *buffer);

/* Fails the test unless `is_true`; the message names the property, the game, its config and its
 * seed. */
void trial_expect(const struct trial *trial, bool is_true, const char *property);
