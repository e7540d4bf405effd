#include "tests/environment.h"
#include "tests/faults/run.h"
#include "tests/unit.h"

#include <inttypes.h>

/*
 * The core in simulation, on a storage whose commits become durable later (late.h): barriers come
 * back turns later, fail, or never come back, and another database takes over that lacks turns
 * which were not durable. SIM_SEEDS=1000 build/release/tests/test_faults late runs that many seeds;
 * SIM_FIRST=1234 sets the first one.
 */

#define SEEDS 8
#define CONTROL_FAILOVERS 100

static void add_counts(struct sim_counts *sum, const struct sim_counts *counts)
{
    sum->steps += counts->steps;
    sum->commits += counts->commits;
    sum->outputs += counts->outputs;
    sum->moves += counts->moves;
    sum->deaths += counts->deaths;
    sum->failovers += counts->failovers;
    sum->doubtful += counts->doubtful;
    sum->confirmed += counts->confirmed;
    sum->failed += counts->failed;
    sum->unanswered += counts->unanswered;
    sum->pauses += counts->pauses;
    sum->looks += counts->looks;
    if (counts->unsettled_max > sum->unsettled_max) {
        sum->unsettled_max = counts->unsettled_max;
    }
}

static void nothing_told_is_lost_when_another_database_takes_over(void **state)
{
    (void)state;
    const uint64_t first = environment_number("SIM_FIRST", 1);
    const uint64_t count = environment_number("SIM_SEEDS", environment_share(SEEDS));
    struct sim_counts sum = {0};
    uint64_t checked = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct run run = run_with_seed_twice(seed, true);
        const struct sim_counts counts = sim_get_counts(run.sim);
        add_counts(&sum, &counts);
        checked += run.findings.checked;
        sim_free(run.sim);
    }
    print_message("%" PRIu64 " seeds, each twice with the same bytes: %" PRIu64 " steps, %" PRIu64
                  " commits, %" PRIu64 " moves answered ok, %" PRIu64 " messages told; %" PRIu64
                  " deaths of the core; %" PRIu64 " failovers with %" PRIu64
                  " turns that were not durable; barriers: %" PRIu64 " confirmed, %" PRIu64
                  " failed, %" PRIu64 " unanswered; at most %" PRIu64 " turns not durable, %" PRIu64
                  " pauses; %" PRIu64 " people saw the same after a restart; %" PRIu64
                  " facts checked, all there\n",
                  count, sum.steps, sum.commits, sum.moves, sum.outputs, sum.deaths, sum.failovers,
                  sum.doubtful, sum.confirmed, sum.failed, sum.unanswered, sum.unsettled_max,
                  sum.pauses, sum.looks, checked);
    assert_true(sum.doubtful > sum.failovers);
    if (count >= SEEDS) { /* a few seeds alone need not meet all of this */
        assert_true(sum.failed > 0);
        assert_true(sum.unanswered > 0);
        assert_true(sum.pauses > 0);
        assert_true(sum.looks > count);
    }
}

/* Lets another database take over, again and again, that lacks every turn that is not durable. */
static struct findings fail_over_often(const struct sim_options *options)
{
    struct run run = run_begin(options);
    for (int i = 0; i < CONTROL_FAILOVERS && run.findings.lost == 0; i++) {
        run_sim_steps(&run, 1 + quick_random_draw_below(&run.random, 100));
        sim_fail_over(run.sim, DISK_LOSE_ALL);
        data_check_disk(sim_disk(run.sim), sim_ledger(run.sim), &run.findings);
    }
    sim_free(run.sim);
    return run.findings;
}

static void failovers_that_lose_every_turn_that_is_not_durable_lose_nothing_told(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .is_late = true};
    const struct findings findings = fail_over_often(&options);
    assert_string_equal(findings.first, "");
    assert_true(findings.checked > 0);
}

/* Checks that the data check can fail: it notices what was told before it was durable. */
static void the_data_check_notices_messages_sent_before_their_turn_is_durable(void **state)
{
    (void)state;
    const struct sim_options options = {
        .seed = 1, .players = 6, .is_late = true, .tells_at_commit = true};
    assert_true(fail_over_often(&options).lost > 0);
}

/* Checks that the data check can fail: it notices a database that confirms what it has not kept. */
static void the_data_check_notices_a_barrier_that_makes_nothing_durable(void **state)
{
    (void)state;
    const struct sim_options options = {
        .seed = 1, .players = 6, .is_late = true, .ignores_syncs = true};
    assert_true(fail_over_often(&options).lost > 0);
}

TEST_GROUP(late)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_told_is_lost_when_another_database_takes_over),
        cmocka_unit_test(failovers_that_lose_every_turn_that_is_not_durable_lose_nothing_told),
        cmocka_unit_test(the_data_check_notices_messages_sent_before_their_turn_is_durable),
        cmocka_unit_test(the_data_check_notices_a_barrier_that_makes_nothing_durable),
    };
    return cmocka_run_group_tests_name("late", tests, NULL, NULL);
}
