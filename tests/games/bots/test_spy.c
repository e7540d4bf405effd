#include "games/bits.h"
#include "games/bots/search.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include <math.h>

/*
 * Checks that a searching bot does not see hidden cards: a spy, who searches in the same way but
 * imagines nothing except the true deal, must gain more points than the bots.
 */

#define SIMULATIONS 150
#define GAMES 60U
#define DEVIATIONS_LEAST 3.0

static const struct game_state *true_state;

static enum game_result sample_truth(const struct game_view *view, const struct game_config *config,
                                     struct quick_random *random, void *state)
{
    (void)config;
    (void)random;
    memcpy(state, true_state->bytes, view->game->state_size);
    return GAME_OK;
}

static uint8_t choose_move(struct search *search, const struct game_def *game,
                           const struct game_config *config, const struct game_state *state,
                           uint8_t seat, uint64_t seed)
{
    static struct game_view view;
    struct quick_random random;
    quick_random_init(&random, seed);
    game_fill_view(game, state, (int8_t)seat, &view);
    view.game = game;
    uint8_t move = search_choose_move(search, &view, config, &random, SIMULATIONS);
    return move != MOVE_NONE ? move : game->careful(&view, config, &random);
}

/* Plays a game in which `own` searches with `own_game`. Returns its points above the mean of the
 * others. */
static double play_game(struct search *search, const struct game_def *game,
                        const struct game_def *own_game, const struct game_config *config,
                        uint32_t number, uint8_t own)
{
    static struct game_outcome outcome;
    struct game_state state;
    uint8_t seed[SEED_BYTES] = {0};
    memcpy(seed, &number, sizeof number);
    assert_int_equal(game_start(game, config, seed, &state, NULL), GAME_OK);
    true_state = &state;
    uint64_t steps = 0;
    while (game_seats_to_act(game, &state) != 0) {
        uint8_t seat = bits_index_of_lowest(game_seats_to_act(game, &state));
        uint8_t move = choose_move(search, seat == own ? own_game : game, config, &state, seat,
                                   number * UINT64_C(100000) + steps++);
        assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
    }
    game_fill_outcome(game, &state, &outcome);
    double others = 0;
    for (uint8_t seat = 0; seat < config->players; seat++) {
        others += seat == own ? 0 : outcome.scores[seat];
    }
    return outcome.scores[own] - others / (config->players - 1);
}

/* Returns how many standard errors the mean of the points lies above 0, over games in which each
 * deal is played once from every seat. */
static double count_deviations(const struct game_def *game, const struct game_def *own_game,
                               uint8_t players)
{
    struct search *search = calloc(1, sizeof *search);
    struct game_config config = game_config_short(game);
    double sum = 0, squares = 0;
    uint32_t deals = GAMES / players;
    assert_non_null(search);
    search_init(search);
    config.players = players;
    for (uint32_t deal = 0; deal < deals; deal++) {
        double points = 0;
        for (uint8_t own = 0; own < players; own++) {
            points += play_game(search, game, own_game, &config, deal, own) / players;
        }
        sum += points;
        squares += points * points;
    }
    free(search);
    double mean = sum / deals;
    double error = sqrt((squares / deals - mean * mean) / (deals - 1));
    print_message("%s: %.2f points more, %.1f standard errors\n", game->id, mean, mean / error);
    return mean / error;
}

static void expect_spy_to_gain(const char *id, uint8_t players)
{
    const struct game_def *game = game_find(id);
    struct game_def spied_game = *game;
    spied_game.sample = sample_truth;
    assert_true(count_deviations(game, &spied_game, players) >= DEVIATIONS_LEAST);
}

static void a_spy_gains_more_points_than_bots_that_search(void **state)
{
    (void)state;
    static const char *const ids[] = {"oh-hell", "hund", "head-and-tail", "suppose"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (environment_tries(i)) {
            expect_spy_to_gain(ids[i], 3);
        }
    }
}

TEST_GROUP(spy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spy_gains_more_points_than_bots_that_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
