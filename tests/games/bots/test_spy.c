#include "games/card.h"
#include "tests/environment.h"
#include "tests/games/bots/positions.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Checks that a searching bot does not see hidden cards: a spy, who searches in the same way but
 * imagines nothing except the true deal, must gain more points than the bot in the same games.
 */

#define PLAYOUTS 80
#define GAMES 30U
#define DEVIATIONS_LEAST 3.0

/* Plays a game in which `own` searches with `own_game` among medium bots. Returns its points above
 * the mean of the others. */
static double play_game(struct search *search, const struct game_def *game,
                        const struct game_def *own_game, const struct game_config *config,
                        uint32_t number, uint8_t own)
{
    static struct game_view view;
    static struct game_outcome outcome;
    struct game_state state;
    struct quick_random random;
    quick_random_init(&random, number);
    positions_start(game, config, number, &state);
    positions_truth = &state;
    while (game_seats_to_act(&state) != 0) {
        positions_view(game, &state, &view);
        bool is_own = (uint8_t)view.seat == own;
        view.game = is_own ? own_game : game;
        uint8_t move = policy_choose_move(policy_find(is_own ? "strong" : "medium"), search, &view,
                                          config, &random, PLAYOUTS);
        assert_int_equal(game_apply(game, &state, (uint8_t)view.seat, move, NULL), GAME_OK);
    }
    game_fill_outcome(game, &state, &outcome);
    double others = 0;
    for (uint8_t seat = 0; seat < config->players; seat++) {
        others += seat == own ? 0 : outcome.scores[seat];
    }
    return outcome.scores[own] - others / (config->players - 1);
}

/* Returns how many standard errors the mean of what the spy gains on the bot lies above 0, over
 * games in which each deal is played from every seat, once by the spy and once by the bot. */
static double count_deviations(const struct game_def *game, const struct game_def *spied_game,
                               uint8_t players)
{
    struct search *search = calloc(1, sizeof *search);
    struct game_config config = game_config_short(game);
    double sum = 0, squares = 0;
    uint32_t deals = GAMES / players;
    assert_non_null(search);
    config.players = players;
    for (uint32_t deal = 0; deal < deals; deal++) {
        double points = 0;
        for (uint8_t own = 0; own < players; own++) {
            points += play_game(search, game, spied_game, &config, deal, own) / players;
            points -= play_game(search, game, game, &config, deal, own) / players;
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
    spied_game.sample = positions_sample_truth;
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
