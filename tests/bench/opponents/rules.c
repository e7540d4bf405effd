#include "tests/bench/opponents/rules.h"

#include "games/heckin_hounds/heckin_hounds.h"
#include "games/suppose/suppose.h"

#include <math.h>
#include <string.h>

#define WORLDS 400
#define WORLDS_SUPPOSE 100 /* whose deals take long to imagine */

uint8_t tree_rules_random_move(const struct move_set *moves, struct quick_random *random)
{
    uint8_t count = move_set_count(moves);
    return move_set_nth(moves, (uint8_t)quick_random_draw_below(random, count));
}

/* Fills in 0.5 + (own points - share * mean of the others' points) / scale, by seat. */
static void compare_points(const int16_t before[SEATS_MAX], const struct table_state *table,
                           float share, float scale, float out[SEATS_MAX])
{
    int sum = 0;
    for (uint8_t seat = 0; seat < table->players; seat++) {
        sum += table->scores[seat] - before[seat];
    }
    for (uint8_t seat = 0; seat < table->players; seat++) {
        int own = table->scores[seat] - before[seat];
        float mean = (float)(sum - own) / (float)(table->players - 1);
        out[seat] = 0.5F + ((float)own - share * mean) / scale;
    }
}

static void reward_oh_hell(const int16_t before[SEATS_MAX], const void *state, float out[SEATS_MAX])
{
    compare_points(before, state, 0.5F, 20, out);
}

static void reward_hund(const int16_t before[SEATS_MAX], const void *state, float out[SEATS_MAX])
{
    compare_points(before, state, 1, 16, out);
}

static void reward_suppose(const int16_t before[SEATS_MAX], const void *state, float out[SEATS_MAX])
{
    compare_points(before, state, 1, 14, out);
}

/* Half of it are the points, half the chance to win, guessed from the totals: each point behind the
 * others takes a quarter of it. */
static void reward_head_and_tail(const int16_t before[SEATS_MAX], const void *state,
                                 float out[SEATS_MAX])
{
    const struct table_state *table = state;
    float chances[SEATS_MAX];
    float sum = 0;
    compare_points(before, table, 1, 10, out);
    for (uint8_t seat = 0; seat < table->players; seat++) {
        chances[seat] = powf(0.75F, (float)(table->scores[0] - table->scores[seat]));
        sum += chances[seat];
    }
    for (uint8_t seat = 0; seat < table->players; seat++) {
        out[seat] = 0.5F * out[seat] + 0.5F * chances[seat] / sum;
    }
}

static void reward_other(const int16_t before[SEATS_MAX], const void *state, float out[SEATS_MAX])
{
    compare_points(before, state, 1, 20, out);
}

static const struct tree_rules rules[] = {
    {
        .game_id = "oh-hell",
        .worlds_most = WORLDS,
        .light = tree_light_oh_hell,
        .reward = reward_oh_hell,
    },
    {
        .game_id = "hund",
        .worlds_most = WORLDS,
        .light = tree_light_hund,
        .reward = reward_hund,
    },
    {
        .game_id = "heckin-hounds",
        .worlds_most = WORLDS,
        /* what such a move tells the others is worth more than what it does, and a tree cannot see
         * that */
        .choosing_phases = 1U << HOUNDS_BAD | 1U << HOUNDS_CLUE | 1U << HOUNDS_CERBERUS,
        .choose = tree_choose_hounds,
        .reward = tree_reward_hounds,
    },
    {
        .game_id = "head-and-tail",
        .worlds_most = WORLDS,
        .reward = reward_head_and_tail,
    },
    {
        .game_id = "suppose",
        .worlds_most = WORLDS_SUPPOSE,
        .secret_phases = 1U << SUPPOSE_PREPARE,
        .choosing_phases = 1U << SUPPOSE_PREPARE,
        .choose = tree_choose_suppose,
        .reward = reward_suppose,
    },
};

static const struct tree_rules rules_of_others = {.worlds_most = WORLDS, .reward = reward_other};

const struct tree_rules *tree_rules_find(const struct game_def *game)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (strcmp(rules[i].game_id, game->id) == 0) {
            return &rules[i];
        }
    }
    return &rules_of_others;
}
