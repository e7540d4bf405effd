#include "games/heckin_hounds/heckin_hounds.h"
#include "tests/bench/opponents/rules.h"

/*
 * The reward in Heckin' Hounds: mostly the chance to win the game. The totals at its end are
 * guessed from what careful players got in a round; the lowest total from 0 on wins, a tie is
 * decided by badness.
 */

#define SHARE_OF_WINNING 0.85F
#define TOTALS 64      /* the totals that are considered: from -TOTAL_LEAST on */
#define TOTAL_LEAST 24 /* below all totals that are reached */
#define STEPS 8        /* a round adds -STEP_LEAST and more to a total */
#define STEP_LEAST 3
#define COST_MOST 10.0F

/* The chances of each total, and of the totals from 0 to below it. */
struct spread {
    float at[TOTALS + 1];
    float below[TOTALS + 1];
};

static void spread_total(int total, unsigned rounds, struct spread *spread)
{
    static const float steps[STEPS] = {0.009F, 0.050F, 0.165F, 0.418F,
                                       0.250F, 0.090F, 0.017F, 0.001F};
    *spread = (struct spread){.at = {0}};
    int first = total < -TOTAL_LEAST ? 0 : total + TOTAL_LEAST;
    spread->at[first < TOTALS ? first : TOTALS - 1] = 1;
    for (unsigned round = 0; round < rounds; round++) {
        float after[TOTALS + 1] = {0};
        for (int from = STEP_LEAST; from < TOTALS - STEPS; from++) {
            for (int step = 0; step < STEPS && spread->at[from] > 0; step++) {
                after[from + step - STEP_LEAST] += spread->at[from] * steps[step];
            }
        }
        for (int to = 0; to <= TOTALS; to++) {
            spread->at[to] = after[to];
        }
    }
    for (int to = TOTAL_LEAST; to < TOTALS; to++) {
        spread->below[to + 1] = spread->below[to] + spread->at[to];
    }
}

/* Returns the share of the win that the seat gets when it and another seat have the same total. */
static float share_of_tie(const struct hounds *state, uint8_t seat, uint8_t other)
{
    return state->badness[seat] < state->badness[other]    ? 1
           : state->badness[seat] == state->badness[other] ? 0.5F
                                                           : 0;
}

static float chance_to_win(const struct hounds *state, const struct spread spreads[SEATS_MAX],
                           uint8_t seat)
{
    float chance = 0;
    for (int total = TOTAL_LEAST; total < TOTALS; total++) {
        float here = spreads[seat].at[total];
        for (uint8_t other = 0; other < state->table.seats && here > 0; other++) {
            float lost = spreads[other].below[total] +
                         spreads[other].at[total] * (1 - share_of_tie(state, seat, other));
            here *= other == seat ? 1 : 1 - lost;
        }
        chance += here;
    }
    return chance;
}

/* Returns how bad the total is, from 0 to 1. */
static float cost_of_total(int total, bool is_last)
{
    float cost = total >= 0 ? (float)total : (is_last ? 3 : 1) - 1.3F * (float)total;
    return (cost < COST_MOST ? cost : COST_MOST) / COST_MOST;
}

void tree_reward_hounds(UNUSED const int16_t before[SEATS_MAX], const void *state_bytes,
                        float out[SEATS_MAX])
{
    const struct hounds *state = state_bytes;
    struct spread spreads[SEATS_MAX] FILLED_LATER;
    unsigned left = (unsigned)(state->table.players - state->table.round);
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        spread_total(state->table.scores[seat], left, &spreads[seat]);
    }
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        out[seat] =
            SHARE_OF_WINNING * chance_to_win(state, spreads, seat) +
            (1 - SHARE_OF_WINNING) * (1 - cost_of_total(state->table.scores[seat], left == 0));
    }
}
