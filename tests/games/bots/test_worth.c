#include "games/bots/bots.h"
#include "tests/unit.h"

/* A table of three players with these totals. */
static struct table_state make_table(int16_t first, int16_t second, int16_t third)
{
    return (struct table_state){.players = 3, .scores = {first, second, third}};
}

static void a_gain_is_compared_with_the_mean_of_the_others(void **state)
{
    (void)state;
    const struct game_def *game = game_find("oh-hell");
    const struct table_state table = make_table(30, 12, 9);
    const int16_t before[SEATS_MAX] = {20, 10, 13};
    /* gains of 10, 2 and -4, in units of 6 points */
    assert_float_equal(worth_of_round(game, before, &table, 0), (10 - (2 - 4) / 2.0) / 6, 1e-6);
    assert_float_equal(worth_of_round(game, before, &table, 1), (2 - (10 - 4) / 2.0) / 6, 1e-6);
    assert_float_equal(worth_of_round(game, before, &table, 2), (-4 - (10 + 2) / 2.0) / 6, 1e-6);
}

static void seats_without_players_do_not_count(void **state)
{
    (void)state;
    const struct game_def *game = game_find("hund");
    struct table_state table = make_table(4, 1, 100);
    const int16_t before[SEATS_MAX] = {0, 0, 0};
    table.players = 2; /* the third seat is a virtual one */
    assert_float_equal(worth_of_round(game, before, &table, 0), 3.0 / 4, 1e-6);
    assert_float_equal(worth_of_round(game, before, &table, 1), -3.0 / 4, 1e-6);
}

static void a_total_near_zero_is_worth_most_where_it_is_wanted(void **state)
{
    (void)state;
    const struct game_def *game = game_find("heckin-hounds");
    const struct table_state table = make_table(0, -3, 2);
    const int16_t before[SEATS_MAX] = {5, 0, 4};
    /* a point below 0 is twice as bad as one above: the changes are 5, -6 and 2 */
    assert_float_equal(worth_of_round(game, before, &table, 0), (5 - (-6 + 2) / 2.0) / 4, 1e-6);
    assert_float_equal(worth_of_round(game, before, &table, 1), (-6 - (5 + 2) / 2.0) / 4, 1e-6);
    assert_float_equal(worth_of_round(game, before, &table, 2), (2 - (5 - 6) / 2.0) / 4, 1e-6);
}

static uint8_t winners;

static void name_winners(const void *state, struct game_outcome *outcome)
{
    (void)state;
    *outcome = (struct game_outcome){.winners = winners};
}

static void winners_share_what_a_win_is_worth(void **state)
{
    (void)state;
    struct game_def game = *game_find("oh-hell");
    const struct game_state over = {.bytes = {0}};
    game.score = name_winners;
    float win_worth = game.encode->goal.win_worth;
    winners = 1 << 2;
    assert_float_equal(worth_of_end(&game, &over, 2), win_worth, 1e-6);
    assert_float_equal(worth_of_end(&game, &over, 1), 0, 1e-6);
    winners = 1 << 2 | 1 << 0;
    assert_float_equal(worth_of_end(&game, &over, 2), win_worth / 2, 1e-6);
    winners = 0;
    assert_float_equal(worth_of_end(&game, &over, 2), 0, 1e-6);
}

static void every_game_with_an_encoder_has_a_goal(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        const struct worth_goal *goal = &game_at(i)->encode->goal;
        assert_true(goal->points_unit >= 1 && goal->win_worth > 0);
    }
}

TEST_GROUP(worth)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_is_compared_with_the_mean_of_the_others),
        cmocka_unit_test(seats_without_players_do_not_count),
        cmocka_unit_test(a_total_near_zero_is_worth_most_where_it_is_wanted),
        cmocka_unit_test(winners_share_what_a_win_is_worth),
        cmocka_unit_test(every_game_with_an_encoder_has_a_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
