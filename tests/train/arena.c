#include "tests/train/arena.h"

#include "games/card.h"
#include "games/game.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SEED 77 /* every measurement plays the same deals */

static uint8_t choose_by_policy(const struct policy *policy, const struct game_def *game,
                                const struct game_config *config, const struct game_state *state,
                                uint8_t seat, struct quick_random *random)
{
    static struct search search; /* too large for the stack */
    struct game_view view;
    game_fill_view(game, state, (int8_t)seat, &view);
    return policy_choose_move(policy, &search, &view, config, random, 0);
}

/* Plays a game with the net in seat `own`. Adds its result. Returns its gain a round. */
static double play_game(const struct selfplay *play, const struct policy *policy,
                        const struct game_config *config, const uint8_t seed[SEED_BYTES],
                        uint8_t own, struct quick_random *random, struct arena_result *result)
{
    struct game_state state;
    const struct table_state *table = (const void *)state.bytes;
    enum game_result went = game_start(play->game, config, seed, &state, NULL);
    uint8_t to_act;
    while (went == GAME_OK && (to_act = game_seats_to_act(&state)) != 0) {
        uint8_t seat = bits_index_of_lowest(to_act);
        uint8_t move = seat == own
                           ? selfplay_choose_move(play, &state, seat)
                           : choose_by_policy(policy, play->game, config, &state, seat, random);
        went = game_apply(play->game, &state, seat, move, NULL);
    }
    assert(went == GAME_OK);
    struct game_outcome outcome = {.winners = 0};
    game_fill_outcome(play->game, &state, &outcome);
    result->wins += (outcome.winners >> own & 1) != 0 ? 1.0 / bits_count(outcome.winners) : 0;
    double gain = 0;
    for (uint8_t seat = 0; seat < config->players; seat++) {
        double points = table->scores[seat];
        gain += seat == own ? points : -points / (config->players - 1);
    }
    return gain / table->round;
}

struct arena_result arena_play(const struct selfplay *play, const struct policy *policy,
                               uint8_t players, uint32_t deals)
{
    struct game_config config = game_config_default(play->game, players);
    struct arena_result result = {0};
    struct quick_random random;
    double squares = 0;
    quick_random_init(&random, SEED);
    for (uint32_t deal = 0; deal < deals; deal++) {
        uint8_t seed[SEED_BYTES] = {0};
        uint64_t word = quick_random_next(&random);
        double gain = 0;
        memcpy(seed, &word, sizeof(word));
        for (uint8_t own = 0; own < players; own++) {
            gain += play_game(play, policy, &config, seed, own, &random, &result) / players;
        }
        result.gain += gain;
        squares += gain * gain;
    }
    result.gain /= deals;
    result.gain_error = 1.96 * sqrt((squares / deals - result.gain * result.gain) / deals);
    result.wins /= (double)deals * players;
    return result;
}
