#include "games/bots/bots.h"

#include "games/card.h"

#define BELOW_ZERO 2 /* how much worse a point below 0 is than one above, where 0 is wanted */

/* What a total is worth, in points. */
static int rate_total(const struct worth_goal *goal, int total)
{
    if (!goal->is_zero_wanted) {
        return total;
    }
    return total < 0 ? BELOW_ZERO * total : -total;
}

float worth_of_round(const struct game_def *game, const int16_t before[SEATS_MAX],
                     const struct table_state *after, uint8_t seat)
{
    const struct worth_goal *goal = &game->encode->goal;
    int own = 0;
    int others = 0;
    for (uint8_t other = 0; other < after->players; other++) {
        int gain = rate_total(goal, after->scores[other]) - rate_total(goal, before[other]);
        own += other == seat ? gain : 0;
        others += other == seat ? 0 : gain;
    }
    float mean = (float)others / (float)(after->players - 1);
    return ((float)own - mean) / goal->points_unit;
}

float worth_of_end(const struct game_def *game, const struct game_state *state, uint8_t seat)
{
    struct game_outcome outcome;
    game_fill_outcome(game, state, &outcome);
    bool has_won = (outcome.winners >> seat & 1) != 0;
    return has_won ? game->encode->goal.win_worth / (float)bits_count(outcome.winners) : 0;
}
