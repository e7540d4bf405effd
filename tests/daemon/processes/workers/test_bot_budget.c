#include "daemon/processes/workers/bot_budget.h"
#include "tests/unit.h"

#define MOST 1000

static struct bot_budget budget;

static int set_up_budget(void **state)
{
    (void)state;
    bot_budget_init(&budget);
    return 0;
}

static uint32_t simulations(uint32_t waiting)
{
    return bot_budget_simulations(&budget, game_at(0), MOST, waiting);
}

/* Measures searches until their time is known. */
static void measure(const struct game_def *game, int64_t simulation_us)
{
    for (int i = 0; i < 100; i++) {
        bot_budget_record(&budget, game, MOST, MOST * simulation_us);
    }
}

static void the_only_search_has_all_simulations_of_its_policy(void **state)
{
    (void)state;
    assert_int_equal(simulations(0), MOST);
    measure(game_at(0), 100);
    assert_int_equal(simulations(0), MOST);
}

static void the_more_moves_wait_the_shorter_is_a_search(void **state)
{
    (void)state;
    measure(game_at(0), 10);
    assert_int_equal(simulations(28), MOST); /* 10 ms each */
    assert_in_range(simulations(59), 490, 510);
    assert_in_range(simulations(99), 290, 310);
    assert_int_equal(simulations(BOT_BUDGET_MS * 10), BOT_SIMULATIONS_MIN);
}

static void simulations_count_as_slow_until_they_are_measured(void **state)
{
    (void)state;
    assert_in_range(simulations(29), 490, 510);
    measure(game_at(0), 2);
    assert_int_equal(simulations(29), MOST);
}

static void one_slow_search_changes_little(void **state)
{
    (void)state;
    measure(game_at(0), 10);
    bot_budget_record(&budget, game_at(0), MOST, MOST * INT64_C(20));
    assert_in_range(simulations(59), 400, 490);
}

static void the_time_of_a_simulation_is_measured_for_each_game(void **state)
{
    (void)state;
    measure(game_at(0), 100);
    assert_int_equal(simulations(59), BOT_SIMULATIONS_MIN);
    assert_in_range(bot_budget_simulations(&budget, game_at(1), MOST, 59), 240, 260);
    assert_true(game_count() <= BOT_BUDGET_GAMES_MAX);
}

static void a_policy_with_few_simulations_keeps_them(void **state)
{
    (void)state;
    assert_int_equal(bot_budget_simulations(&budget, game_at(0), 0, 0), 0);
    assert_int_equal(bot_budget_simulations(&budget, game_at(0), 20, 10000), 20);
}

TEST_GROUP(bot_budget)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_only_search_has_all_simulations_of_its_policy, set_up_budget),
        cmocka_unit_test_setup(the_more_moves_wait_the_shorter_is_a_search, set_up_budget),
        cmocka_unit_test_setup(simulations_count_as_slow_until_they_are_measured, set_up_budget),
        cmocka_unit_test_setup(one_slow_search_changes_little, set_up_budget),
        cmocka_unit_test_setup(the_time_of_a_simulation_is_measured_for_each_game, set_up_budget),
        cmocka_unit_test_setup(a_policy_with_few_simulations_keeps_them, set_up_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
