#include "games/card.h"
#include "tests/environment.h"
#include "tests/faults/data_check.h"
#include "tests/faults/sim.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The power is cut at a random change of the disk, again and again, while people play.
 * POWER_CUTS=100000 build/release/tests/test_faults power makes that many cuts; POWER_FIRST sets
 * the first seed.
 */

#define CONTROL_CUTS_MAX 100
/* number of power cuts before a new house is started, so that the data stay small */
#define KEPT_EXPECTED 160 /* so many cuts within a commit keep at least one */
#define EPISODE_CUTS 25
#define GAP_CHANGES 250 /* greatest number of changes between two cuts */
#define STEPS_MAX 1000000

struct tally {
    uint64_t cuts,
        harmful; /* number of power cuts, and of power cuts after which the data were wrong */
    uint64_t in_commit; /* cuts during a commit */
    uint64_t kept;      /* cuts during a commit that was complete afterwards */
    uint64_t moves, lines, outputs;
    struct findings findings;
};

static uint64_t read_cut_count(void)
{
    return environment_number("POWER_CUTS", environment_share(200));
}

/* A run with a fault that the checks must find needs fewer cuts, because the fault shows soon. */
static uint64_t compute_faulty_run_cut_count(void)
{
    const uint64_t cuts = read_cut_count() / 4;
    return cuts < CONTROL_CUTS_MAX ? cuts : CONTROL_CUTS_MAX;
}

/* Checks that a commit is atomic: after the power cut, the disk `now` holds the data from before
 * the commit, or those that the commit would have stored. */
static void check_commit_is_atomic(const struct disk *before, const struct disk *after,
                                   struct disk *now, struct tally *tally)
{
    if (before == NULL) {
        return;
    }
    const uint64_t content = data_check_hash_content(now);
    tally->in_commit++;
    if (content == data_check_hash_content(before)) {
        return;
    }
    tally->kept++;
    if (content != data_check_hash_content(after)) {
        data_check_note_contradiction(&tally->findings,
                                      "only a part of a commit was kept after power cut",
                                      (int64_t)tally->cuts);
    }
}

/* Cuts the power once and checks the data. Returns false when the data were wrong after the cut. */
static bool cut_power_once(struct sim *sim, struct quick_random *random, struct tally *tally)
{
    disk_cut_power_at_operation(sim_disk(sim), DISK_CHANGES,
                                1 + quick_random_draw_below(random, GAP_CHANGES));
    for (int i = 0; !disk_is_powered_off(sim_disk(sim)); i++) {
        assert_true(i < STEPS_MAX);
        sim_step(sim);
    }
    struct disk *after = disk_copy(sim_disk(sim));
    const uint64_t wrong = tally->findings.lost + tally->findings.corrupt;
    sim_power_on(sim, (enum disk_loss)quick_random_draw_below(random, 4));
    tally->cuts++;
    data_check_disk(sim_disk(sim), sim_ledger(sim), &tally->findings);
    check_commit_is_atomic(sim_get_disk_before_failed_commit(sim), after, sim_disk(sim), tally);
    disk_free(after);
    const bool is_well = tally->findings.lost + tally->findings.corrupt == wrong;
    tally->harmful += !is_well;
    return is_well;
}

static struct tally cut_power_often(const struct sim_options *options, uint64_t cuts)
{
    struct tally tally = {0};
    for (uint64_t seed = options->seed; tally.cuts < cuts; seed++) {
        struct sim_options own = *options;
        struct quick_random random;
        own.seed = seed;
        quick_random_init(&random, seed);
        struct sim *sim = sim_new(&own);
        bool is_well = true;
        for (int i = 0; i < EPISODE_CUTS && is_well && tally.cuts < cuts; i++) {
            is_well = cut_power_once(sim, &random, &tally);
        }
        tally.moves += sim_get_counts(sim).moves;
        tally.outputs += sim_get_counts(sim).outputs;
        tally.lines += sim_ledger(sim)->told_lines;
        sim_free(sim);
    }
    return tally;
}

static void print_tally(const char *what, const struct tally *tally)
{
    print_message(
        "%s: %" PRIu64 " power cuts (%" PRIu64 " within a commit, %" PRIu64
        " of these kept), %" PRIu64 " moves answered ok, %" PRIu64 " messages told, %" PRIu64
        " facts checked: %" PRIu64 " lost, %" PRIu64 " corrupt, after %" PRIu64 " cuts%s%s\n",
        what, tally->cuts, tally->in_commit, tally->kept, tally->moves, tally->outputs,
        tally->findings.checked, tally->findings.lost, tally->findings.corrupt, tally->harmful,
        tally->findings.first[0] == '\0' ? "" : "; first: ", tally->findings.first);
}

static void reported_changes_survive_power_cuts(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = environment_number("POWER_FIRST", 1), .players = 6};
    const struct tally tally = cut_power_often(&options, read_cut_count());
    print_tally("the house", &tally);
    assert_string_equal(tally.findings.first, "");
    assert_int_equal(tally.findings.lost, 0);
    assert_int_equal(tally.findings.corrupt, 0);
    assert_true(tally.in_commit > tally.cuts / 3);
    /* a commit is kept in about one of forty cuts within one: a few cuts may have none */
    assert_true(tally.kept > 0 || tally.in_commit < KEPT_EXPECTED);
}

static void the_data_check_notices_messages_sent_before_their_commit(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .tells_first = true};
    const struct tally tally = cut_power_often(&options, compute_faulty_run_cut_count());
    print_tally("control: messages are sent before the commit", &tally);
    assert_true(tally.findings.lost > 0);
}

static void the_data_check_notices_that_a_disk_does_not_sync(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .ignores_syncs = true};
    const struct tally tally = cut_power_often(&options, compute_faulty_run_cut_count());
    print_tally("control: syncs do nothing", &tally);
    assert_true(tally.findings.lost > 0);
}

TEST_GROUP(power)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reported_changes_survive_power_cuts),
        cmocka_unit_test(the_data_check_notices_messages_sent_before_their_commit),
        cmocka_unit_test(the_data_check_notices_that_a_disk_does_not_sync),
    };
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
