#pragma once

#include "games/game.h"

/*
 * How many play-outs a search may make. A search takes a few milliseconds, but with many bots on
 * turn the last one would wait too long: therefore all that wait share BOT_BUDGET_MS. The time of a
 * play-out is measured for each game, since it depends on the game, the machine, and what else the
 * machine does.
 */
#define BOT_BUDGET_MS 300
#define BOT_PLAYOUTS_MIN 20 /* fewer choose hardly better than the medium policy */
#define BOT_BUDGET_GAMES_MAX 16

struct bot_budget {
    float playout_us[BOT_BUDGET_GAMES_MAX]; /* by game, as in game_at */
};

/* Assumes that play-outs take long, until they are measured. */
void bot_budget_init(struct bot_budget *budget);

/* Returns how many play-outs the next search may make: at most `most`, the policy's own number,
 * and fewer if `waiting` other moves are still to choose, but at least BOT_PLAYOUTS_MIN. */
uint32_t bot_budget_playouts(const struct bot_budget *budget, const struct game_def *game,
                             uint32_t most, uint32_t waiting);

/* Records how long a search with this number of play-outs, at least 1, has taken. */
void bot_budget_record(struct bot_budget *budget, const struct game_def *game, uint32_t playouts,
                       int64_t took_us);
