#include "tests/games/bots/positions.h"

#include "games/card.h"
#include "tests/unit.h"

#include <string.h>

void positions_start(const struct game_def *game, const struct game_config *config, uint64_t seed,
                     struct game_state *state)
{
    uint8_t bytes[SEED_BYTES] = {0};
    memcpy(bytes, &seed, sizeof seed);
    assert_int_equal(game_start(game, config, bytes, state, NULL), GAME_OK);
}

void positions_view(const struct game_def *game, const struct game_state *state,
                    struct game_view *view)
{
    uint8_t seat = bits_index_of_lowest(game_seats_to_act(state));
    game_fill_view(game, state, (int8_t)seat, view);
    view->game = game;
}

void positions_first_view(const struct game_def *game, const struct game_config *config,
                          uint64_t seed, struct game_view *view)
{
    struct game_state state;
    positions_start(game, config, seed, &state);
    positions_view(game, &state, view);
}

void positions_visit(const struct game_def *game, uint8_t players, const char *policy,
                     unsigned moves,
                     void (*check)(const struct game_view *view, const struct game_config *config,
                                   const struct game_state *state))
{
    static struct game_view view;
    struct game_config config = game_config_default(game, players);
    struct game_state state;
    struct quick_random random;
    quick_random_init(&random, players);
    positions_start(game, &config, players, &state);
    for (unsigned i = 0; i < moves && game_seats_to_act(&state) != 0; i++) {
        positions_view(game, &state, &view);
        check(&view, &config, &state);
        uint8_t move = policy_choose_move(policy_find(policy), NULL, &view, &config, &random, 0);
        assert_int_equal(game_apply(game, &state, (uint8_t)view.seat, move, NULL), GAME_OK);
    }
}

const struct game_state *positions_truth;

bool positions_sample_truth(const struct game_view *view, struct quick_random *random, void *state)
{
    (void)random;
    memcpy(state, positions_truth->bytes, view->game->state_size);
    return true;
}
