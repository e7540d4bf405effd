#include "daemon/processes/workers/workers.h"
#include "tests/unit.h"

#define MOST 200

static struct bot_budget budget;

static int set_up_budget(void **state)
{
    (void)state;
    bot_budget_init(&budget);
    return 0;
}

static uint32_t playouts(uint32_t waiting)
{
    return bot_budget_playouts(&budget, game_at(0), MOST, waiting);
}

/* Measures searches until their time is known. */
static void measure(const struct game_def *game, int64_t playout_us)
{
    for (int i = 0; i < 100; i++) {
        bot_budget_record(&budget, game, MOST, MOST * playout_us);
    }
}

static void the_only_search_has_all_playouts_of_its_policy(void **state)
{
    (void)state;
    assert_int_equal(playouts(0), MOST);
    measure(game_at(0), 100);
    assert_int_equal(playouts(0), MOST);
}

static void the_more_moves_wait_the_shorter_is_a_search(void **state)
{
    (void)state;
    measure(game_at(0), 50);
    assert_int_equal(playouts(28), MOST); /* 10 ms each */
    assert_in_range(playouts(59), 98, 102);
    assert_in_range(playouts(99), 58, 62);
    assert_int_equal(playouts(BOT_BUDGET_MS * 10), BOT_PLAYOUTS_MIN);
}

static void playouts_count_as_slow_until_they_are_measured(void **state)
{
    (void)state;
    assert_in_range(playouts(29), 98, 102);
    measure(game_at(0), 20);
    assert_int_equal(playouts(29), MOST);
}

static void one_slow_search_changes_little(void **state)
{
    (void)state;
    measure(game_at(0), 50);
    bot_budget_record(&budget, game_at(0), MOST, MOST * INT64_C(100));
    assert_in_range(playouts(59), 80, 98);
}

static void the_time_of_a_playout_is_measured_for_each_game(void **state)
{
    (void)state;
    measure(game_at(0), 1000);
    assert_int_equal(playouts(59), BOT_PLAYOUTS_MIN);
    assert_in_range(bot_budget_playouts(&budget, game_at(1), MOST, 59), 49, 51);
    assert_true(game_count() <= BOT_BUDGET_GAMES_MAX);
}

static void a_policy_with_few_playouts_keeps_them(void **state)
{
    (void)state;
    assert_int_equal(bot_budget_playouts(&budget, game_at(0), 0, 0), 0);
    assert_int_equal(bot_budget_playouts(&budget, game_at(0), 10, 10000), 10);
}

TEST_GROUP(bot_budget)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_only_search_has_all_playouts_of_its_policy, set_up_budget),
        cmocka_unit_test_setup(the_more_moves_wait_the_shorter_is_a_search, set_up_budget),
        cmocka_unit_test_setup(playouts_count_as_slow_until_they_are_measured, set_up_budget),
        cmocka_unit_test_setup(one_slow_search_changes_little, set_up_budget),
        cmocka_unit_test_setup(the_time_of_a_playout_is_measured_for_each_game, set_up_budget),
        cmocka_unit_test_setup(a_policy_with_few_playouts_keeps_them, set_up_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
