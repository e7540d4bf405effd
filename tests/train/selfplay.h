#pragma once

#include "tests/train/learner.h"

/*
 * Games that a net plays against itself, earlier selves and careless players, with any number of
 * players and any options. After each round it learns what each of its moves has brought: the
 * points that the seat has gained on the others until the end of the round, and what they change of
 * its chance to win, mixed with what the net expected at the seat's later decisions (the lambda
 * return; Sutton and Barto, "Reinforcement Learning", 2nd ed., chapter 12).
 */

#define SELFPLAY_SELVES 4 /* so many earlier selves are kept */

struct selfplay {
    const struct game_def *game;
    struct quick_random random;
    struct learner net;
    struct learner selves[SELFPLAY_SELVES];
    struct learner critic;
    uint32_t self_count;
    uint64_t samples; /* decisions learned from */
    uint64_t games;
    float heat; /* how much worse, in the unit of worth, moves are that are still tried often */
    float rate; /* of learning */
};

/* False if there is no memory. */
bool selfplay_init(struct selfplay *play, const struct game_def *game, unsigned hidden,
                   unsigned middle, uint64_t seed) MUST_CHECK;
void selfplay_free(struct selfplay *play);

/* Plays a game and learns from it. */
void selfplay_play(struct selfplay *play);

/* Keeps the present net as an earlier self, in place of one of them if there are enough. */
void selfplay_keep_self(struct selfplay *play);

/* The net's best move. */
uint8_t selfplay_choose_move(const struct selfplay *play, const struct game_state *state,
                             uint8_t seat);

/* Write and read everything that playing goes on from. */
bool selfplay_save(const struct selfplay *play, FILE *file) MUST_CHECK;
bool selfplay_load(struct selfplay *play, FILE *file) MUST_CHECK;
