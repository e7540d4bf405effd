#pragma once

#include "games/game.h"

/*
 * How many simulations a search may make. A search takes a few milliseconds, but with many bots on
 * turn the last one would wait too long: therefore all that wait share BOT_BUDGET_MS. The time of a
 * simulation is measured for each game, since it depends on the game, the machine, and what else
 * the machine does.
 */
#define BOT_BUDGET_MS 300
#define BOT_SIMULATIONS_MIN 50 /* fewer choose hardly better than rules of thumb */
#define BOT_BUDGET_GAMES_MAX 16

struct bot_budget {
    float simulation_us[BOT_BUDGET_GAMES_MAX]; /* by game, as in game_at */
};

/* Assumes that simulations take long, until they are measured. */
void bot_budget_init(struct bot_budget *budget);

/* Returns how many simulations the next search may make: at most `most`, the policy's own number,
 * and fewer if `waiting` other moves are still to choose, but at least BOT_SIMULATIONS_MIN. */
uint32_t bot_budget_simulations(const struct bot_budget *budget, const struct game_def *game,
                                uint32_t most, uint32_t waiting);

/* Records how long a search with this number of simulations, at least 1, has taken. */
void bot_budget_record(struct bot_budget *budget, const struct game_def *game, uint32_t simulations,
                       int64_t took_us);
