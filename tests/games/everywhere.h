#ifndef TESTS_GAMES_EVERYWHERE_H
#define TESTS_GAMES_EVERYWHERE_H

#include "games/game.h"

/*
 * Properties hold in every game of games.def, with every number of players, every combination of
 * options and every format. A property is written once, for one game being played; these run it
 * everywhere.
 */

/* One game in the making, and where its random choices come from. */
struct trial {
    const struct game_def *game;
    struct game_config config;
    uint8_t seats;
    uint8_t seed[SEED_BYTES];
    struct quick_random random;
    struct game_state state;
};

typedef void trial_check(struct trial *trial);

/* Starts `games` games of every set-up and hands each to the check. With PROPERTY_GAMES in the
 * environment it is that many games of every game instead, spread evenly over its set-ups. */
void everywhere_run(trial_check *check, unsigned games);

/* True for one step in `one_in`, chosen at random: for what is too slow to be looked at after every
 * move. With PROPERTY_GAMES one in eight of these: the many games make up for it. */
bool trial_looks(struct trial *trial, uint32_t one_in);

/* Starts the trial's game again, from its seed. */
void trial_start(struct trial *trial, const struct game_log *log);

/* A random seat to act; false when the game is over. */
bool trial_seat(struct trial *trial, uint8_t *seat);

/* A random legal move of that seat. */
uint8_t trial_move(struct trial *trial, uint8_t seat);

/* Makes a move that must be accepted. */
void trial_apply(struct trial *trial, uint8_t seat, uint8_t move, const struct game_log *log);

/* Plays to the end at random. */
void trial_finish(struct trial *trial, const struct game_log *log);

/* The view as text, in the caller's buffer of VIEW_TEXT_MAX bytes. */
void trial_view_text(const struct game_view *view, char *buffer);

/* Fails, naming the property and the game with its set-up and seed, unless it holds. */
void trial_expect(const struct trial *trial, bool holds, const char *property);

#endif
