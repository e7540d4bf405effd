#include "tests/environment.h"
#include "tests/faults/data_check.h"
#include "tests/faults/sim.h"
#include "tests/unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/*
 * In each run, one of the first writes and syncs of a house fails once. The players play on, and
 * then the power is cut. For more failures: DISK_ERRORS=500 build/release/tests/test_faults errors
 */

#define STEPS_BEFORE 100000 /* number of steps within which the failure must occur */
#define COMMITS_AFTER 40    /* number of commits after the failure, before the power is cut */

struct tally {
    uint64_t failures, deaths, unopened, refused;
    struct findings findings;
};

static void play_until_more_commits(struct sim *sim, uint64_t commits)
{
    const uint64_t until = sim_get_counts(sim).commits + commits;
    for (int i = 0; sim_get_counts(sim).commits < until; i++) {
        assert_true(i < STEPS_BEFORE);
        sim_step(sim);
    }
}

static void fail_one_operation(uint64_t seed, const struct disk_fault *fault, struct tally *tally)
{
    const struct sim_options options = {
        .seed = seed, .players = 5, .is_fault_free = true, .first_fault = *fault};
    struct sim *sim = sim_new(&options);
    for (int i = 0; !disk_has_failed(sim_disk(sim)); i++) {
        assert_true(i < STEPS_BEFORE);
        sim_step(sim);
    }
    play_until_more_commits(sim, COMMITS_AFTER);
    data_check_disk(sim_disk(sim), sim_ledger(sim), &tally->findings);
    disk_cut_power(sim_disk(sim));
    sim_power_on(sim, DISK_LOSE_SOME);
    data_check_disk(sim_disk(sim), sim_ledger(sim), &tally->findings);
    play_until_more_commits(sim, 5);
    tally->failures++;
    tally->deaths += sim_get_counts(sim).deaths - 1; /* counts no death for the power cut */
    tally->unopened += sim_get_counts(sim).unopened;
    tally->refused += sim_get_counts(sim).refused_read_only;
    sim_free(sim);
}

static struct tally fail_each_operation(unsigned operation_kinds, int error)
{
    struct tally tally = {0};
    const uint64_t count = environment_number("DISK_ERRORS", environment_share(24));
    const uint64_t step = getenv("DISK_ERRORS") == NULL ? 21 * environment_part() : 1;
    for (uint64_t n = 1; n <= count * step; n += step) {
        const struct disk_fault fault = {operation_kinds, n, 1, error, n % 2 == 0};
        const uint64_t wrong = tally.findings.lost + tally.findings.corrupt;
        fail_one_operation(1, &fault, &tally);
        if (tally.findings.lost + tally.findings.corrupt != wrong) {
            print_error("failure %" PRIu64 " of %u: %s\n", n, operation_kinds,
                        tally.findings.first);
        }
    }
    return tally;
}

static void print_tally(const char *caption, const struct tally *tally)
{
    print_message("%s: %" PRIu64 " failures, %" PRIu64 " deaths of the core, %" PRIu64
                  " starts in vain, %" PRIu64 " requests refused for lack of room, %" PRIu64
                  " facts checked: %" PRIu64 " lost, %" PRIu64 " corrupt\n",
                  caption, tally->failures, tally->deaths, tally->unopened, tally->refused,
                  tally->findings.checked, tally->findings.lost, tally->findings.corrupt);
}

static void assert_nothing_lost(const struct tally *tally)
{
    assert_string_equal(tally->findings.first, "");
    assert_int_equal(tally->findings.lost, 0);
    assert_int_equal(tally->findings.corrupt, 0);
}

static void a_write_or_sync_that_fails_loses_nothing(void **state)
{
    (void)state;
    const struct tally tally = fail_each_operation(DISK_WRITE | DISK_SYNC, EIO);
    print_tally("EIO", &tally);
    assert_nothing_lost(&tally);
    /* the core ends, because no player can continue */
    assert_true(tally.deaths + tally.unopened >= tally.failures);
}

static void a_sync_that_fails_loses_nothing(void **state)
{
    (void)state;
    const struct tally tally = fail_each_operation(DISK_SYNC, EIO);
    print_tally("EIO at syncs only", &tally);
    assert_nothing_lost(&tally);
}

static void a_write_or_sync_on_a_full_disk_loses_nothing(void **state)
{
    (void)state;
    const struct tally tally = fail_each_operation(DISK_WRITE | DISK_SYNC, ENOSPC);
    print_tally("ENOSPC", &tally);
    assert_nothing_lost(&tally);
}

static void a_write_on_a_full_disk_does_not_end_the_core(void **state)
{
    (void)state;
    const struct tally tally = fail_each_operation(DISK_WRITE, ENOSPC);
    print_tally("ENOSPC at writes only", &tally);
    assert_nothing_lost(&tally);
    assert_int_equal(tally.deaths, 0);
}

/* While people play, the disk fills up, stays full for a while and gets space, again and again. The
 * core survives this. */
static void the_core_survives_a_full_disk_until_there_is_space(void **state)
{
    (void)state;
    struct findings findings = {0};
    const struct sim_options options = {.seed = 3, .players = 5, .is_fault_free = true};
    struct sim *sim = sim_new(&options);
    play_until_more_commits(sim, 50);
    for (size_t round = 1; round <= 20; round++) {
        const uint64_t commits = sim_get_counts(sim).commits;
        disk_set_size_limit(sim_disk(sim), disk_size(sim_disk(sim)) + 7777 * round);
        uint64_t refused = sim_get_counts(sim).refused_read_only;
        for (int i = 0; i < 1000 || (refused == 0 && i < 20000); i++) {
            sim_step(sim);
            refused = sim_get_counts(sim).refused_read_only;
        }
        data_check_disk(sim_disk(sim), sim_ledger(sim), &findings);
        disk_set_size_limit(sim_disk(sim), SIZE_MAX);
        play_until_more_commits(sim, 30);
        data_check_disk(sim_disk(sim), sim_ledger(sim), &findings);
        assert_true(sim_get_counts(sim).commits > commits + 30);
    }
    assert_true(sim_get_counts(sim).refused_read_only > 0);
    print_message("%" PRIu64 " requests refused, %" PRIu64 " moves, %" PRIu64
                  " facts checked: %" PRIu64 " lost, %" PRIu64 " corrupt\n",
                  sim_get_counts(sim).refused_read_only, sim_get_counts(sim).moves,
                  findings.checked, findings.lost, findings.corrupt);
    assert_string_equal(findings.first, "");
    assert_int_equal(sim_get_counts(sim).deaths, 0);
    sim_free(sim);
}

TEST_GROUP(errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_or_sync_that_fails_loses_nothing),
        cmocka_unit_test(a_sync_that_fails_loses_nothing),
        cmocka_unit_test(a_write_or_sync_on_a_full_disk_loses_nothing),
        cmocka_unit_test(a_write_on_a_full_disk_does_not_end_the_core),
        cmocka_unit_test(the_core_survives_a_full_disk_until_there_is_space),
    };
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
