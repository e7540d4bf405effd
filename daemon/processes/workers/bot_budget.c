#include "daemon/processes/workers/workers.h"

#include <assert.h>

#define FIRST_US 100.0F  /* the slowest game on a common server */
#define NEW_SHARE 0.125F /* of the latest search in the mean */

static uint8_t find_index(const struct game_def *game)
{
    uint8_t index = 0;
    while (game_at(index) != game) {
        index++;
    }
    assert(index < BOT_BUDGET_GAMES_MAX);
    return index;
}

void bot_budget_init(struct bot_budget *budget)
{
    for (uint8_t i = 0; i < BOT_BUDGET_GAMES_MAX; i++) {
        budget->playout_us[i] = FIRST_US;
    }
}

uint32_t bot_budget_playouts(const struct bot_budget *budget, const struct game_def *game,
                             uint32_t most, uint32_t waiting)
{
    float share_us = BOT_BUDGET_MS * 1000.0F / (float)(waiting + 1);
    float fitting = share_us / budget->playout_us[find_index(game)];
    if (fitting >= (float)most || most < BOT_PLAYOUTS_MIN) {
        return most;
    }
    return fitting < BOT_PLAYOUTS_MIN ? BOT_PLAYOUTS_MIN : (uint32_t)fitting;
}

void bot_budget_record(struct bot_budget *budget, const struct game_def *game, uint32_t playouts,
                       int64_t took_us)
{
    float *mean_us = &budget->playout_us[find_index(game)];
    *mean_us += NEW_SHARE * ((float)took_us / (float)playouts - *mean_us);
}
