#include "tests/games/strength.h"

#include "games/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Plays one game: the player in `careful_seat` follows the careful policy, all others move at
 * random. Returns 1 if the careful player wins alone, a fraction if several players share the win,
 * otherwise 0. */
static double play_one_game(const struct game_def *game, const struct game_config *config,
                            uint8_t careful_seat, struct quick_random *random)
{
    uint8_t seed[SEED_BYTES];
    for (unsigned i = 0; i < SEED_BYTES; i++) {
        seed[i] = (uint8_t)quick_random_draw_below(random, 256);
    }
    struct game_state state;
    assert_int_equal(game_start(game, config, seed, &state, NULL), GAME_OK);
    while (game_seats_to_act(game, &state) != 0) {
        static struct game_view view;
        uint8_t seat = bits_index_of_lowest(game_seats_to_act(game, &state));
        game_fill_view(game, &state, (int8_t)seat, &view);
        uint8_t move = seat == careful_seat ? game->careful(&view, config, random)
                                            : policy_random_move(&view, config, random);
        assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
    }
    static struct game_outcome outcome;
    game_fill_outcome(game, &state, &outcome);
    bool has_won = (outcome.winners >> careful_seat & 1) != 0;
    return has_won ? 1.0 / bits_count(outcome.winners) : 0;
}

double strength_measure_careful_policy(const struct game_def *game, uint8_t players, unsigned games)
{
    struct game_config config = game_config_default(game, players);
    struct quick_random random;
    double wins = 0;
    quick_random_init(&random, players);
    for (unsigned i = 0; i < games; i++) {
        wins += play_one_game(game, &config, (uint8_t)(i % players), &random);
    }
    print_message("%s, %u players: careful wins %.1f %%\n", game->id, players, 100 * wins / games);
    return wins / games;
}
