#include "tests/faults/run.h"

#include "lobby/house/house.h"
#include "tests/unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define RUN_FAULTS 12
#define FULL_STEPS 400
#define FAIL_OVER_STEPS 50
#define STEPS_MAX 1500000

/* Checks the conditions that must hold after every step of the simulation. */
static void check_conditions_after_step(struct run *run)
{
    const struct sim_counts counts = sim_get_counts(run->sim);
    if (sim_ledger(run->sim)->contradictions > 0) {
        data_check_note_lost_fact(&run->findings, sim_ledger(run->sim)->contradiction, 0);
    }
    if (counts.told_early > 0) {
        data_check_note_lost_fact(&run->findings, "a message sent before the commit",
                                  (int64_t)counts.told_early);
    }
    if (counts.ended > 0) {
        data_check_note_lost_fact(&run->findings, "a connection ended", (int64_t)counts.ended);
    }
    if (counts.broken > 0) {
        data_check_note_contradiction(&run->findings, "the audit log", (int64_t)counts.broken);
    }
    if (counts.told_otherwise > 0) {
        data_check_note_lost_fact(&run->findings, "an answer that differs from the committed one",
                                  (int64_t)counts.untold);
    }
    if (counts.seen_otherwise > 0) {
        data_check_note_lost_fact(&run->findings, "something seen differently after a restart",
                                  (int64_t)counts.seen_otherwise);
    }
    if (sim_core_has_restarted(run->sim)) {
        data_check_disk(sim_disk(run->sim), sim_ledger(run->sim), &run->findings);
    }
}

void run_sim_steps(struct run *run, uint32_t count)
{
    for (uint32_t i = 0; i < count && !disk_is_powered_off(sim_disk(run->sim)); i++) {
        sim_step(run->sim);
        check_conditions_after_step(run);
    }
}

void run_until_core_dies(struct run *run)
{
    const uint64_t deaths = sim_get_counts(run->sim).deaths + sim_get_counts(run->sim).unopened;
    for (uint32_t i = 0;
         sim_get_counts(run->sim).deaths + sim_get_counts(run->sim).unopened == deaths; i++) {
        assert_true(i < STEPS_MAX);
        sim_step(run->sim);
        check_conditions_after_step(run);
    }
}

/* Lets another database take over, at a moment when turns are not durable, if one comes soon. */
static void fail_over(struct run *run)
{
    for (uint32_t i = 0; i < FAIL_OVER_STEPS; i++) {
        if (sim_house(run->sim) != NULL && house_count_unsettled_turns(sim_house(run->sim)) > 0) {
            break;
        }
        run_sim_steps(run, 1);
    }
    sim_fail_over(run->sim, (enum disk_loss)quick_random_draw_below(&run->random, 4));
    data_check_disk(sim_disk(run->sim), sim_ledger(run->sim), &run->findings);
}

static void cut_power(struct run *run)
{
    struct disk *disk = sim_disk(run->sim);
    for (uint32_t i = 0; !disk_is_powered_off(disk); i++) {
        assert_true(i < STEPS_MAX);
        if (!disk_is_near_power_cut(disk, UINT64_MAX)) { /* at first, or a core has died since */
            disk_cut_power_at_operation(disk, DISK_CHANGES,
                                        1 + quick_random_draw_below(&run->random, 100));
        }
        sim_step(run->sim);
        check_conditions_after_step(run);
    }
    sim_power_on(run->sim, (enum disk_loss)quick_random_draw_below(&run->random, 4));
    data_check_disk(disk, sim_ledger(run->sim), &run->findings);
}

/* Waits until a core is running, kills it, and compares what players saw before with what the next
 * core shows them. */
static void kill_core_and_compare_views(struct run *run)
{
    char title[32];
    for (uint32_t i = 0; sim_house(run->sim) == NULL; i++) {
        assert_true(i < STEPS_MAX);
        sim_step(run->sim);
        check_conditions_after_step(run);
    }
    (void)snprintf(title, sizeof(title), "seed %" PRIu64, run->seed);
    sim_kill_core_and_compare_views(run->sim, title);
    check_conditions_after_step(run);
}

void run_cause_trouble(struct run *run, enum trouble trouble)
{
    struct disk *disk = sim_disk(run->sim);
    const uint32_t nth = 1 + quick_random_draw_below(&run->random, 100);
    /* what a failed sync of SQLite's log loses is not what a failed barrier loses (late.h) */
    const unsigned operations = run->is_late ? DISK_WRITE : DISK_WRITE | DISK_SYNC;
    struct disk_fault fault = {operations, nth, 1, EIO, nth % 2 == 0};
    run->troubles[trouble]++;
    switch (trouble) {
    case TROUBLE_POWER:
        cut_power(run);
        break;
    case TROUBLE_KILL_AT_CHANGE:
        sim_kill_core_at_disk_change(run->sim, nth);
        run_until_core_dies(run);
        break;
    case TROUBLE_KILL_AT_OUTPUT:
        sim_kill_core_after_message(run->sim, nth);
        run_until_core_dies(run);
        break;
    case TROUBLE_ERROR:
        disk_set_fault(disk, fault);
        run_until_core_dies(run);
        break;
    case TROUBLE_NO_ROOM_ONCE:
        fault.ops = DISK_WRITE;
        fault.reason = ENOSPC;
        disk_set_fault(disk, fault);
        break;
    case TROUBLE_KILL_LOOKED_AT:
        kill_core_and_compare_views(run);
        break;
    case TROUBLE_FAIL_OVER:
        fail_over(run);
        break;
    case TROUBLE_FULL:
    case TROUBLE_COUNT:
        disk_set_size_limit(disk, disk_size(disk));
        run_sim_steps(run, FULL_STEPS);
        disk_set_size_limit(disk, SIZE_MAX);
        break;
    }
}

struct run run_begin(const struct sim_options *options)
{
    struct run run = {.seed = options->seed, .sim = sim_new(options), .is_late = options->is_late};
    quick_random_init(&run.random, options->seed);
    return run;
}

static enum trouble draw_trouble(struct run *run)
{
    if (run->is_late && quick_random_draw_below(&run->random, 2) == 0) {
        return TROUBLE_FAIL_OVER;
    }
    return (enum trouble)quick_random_draw_below(&run->random, TROUBLE_FAIL_OVER);
}

struct run run_with_seed(uint64_t seed, bool is_late, uint64_t *disk_hash_after)
{
    const struct sim_options options = {
        .seed = seed,
        .players = 4 + (unsigned)(seed % 5),
        .has_staff = true,
        .is_late = is_late,
    };
    struct run run = run_begin(&options);
    for (int i = 0; i < RUN_FAULTS; i++) {
        run_sim_steps(&run, quick_random_draw_below(&run.random, RUN_GAP_STEPS));
        run_cause_trouble(&run, draw_trouble(&run));
    }
    run_sim_steps(&run, RUN_GAP_STEPS);
    data_check_disk(sim_disk(run.sim), sim_ledger(run.sim), &run.findings);
    *disk_hash_after = disk_hash(sim_disk(run.sim));
    return run;
}

struct run run_with_seed_twice(uint64_t seed, bool is_late)
{
    uint64_t disk = 0;
    uint64_t disk_again = 0;
    struct run run = run_with_seed(seed, is_late, &disk);
    struct run again = run_with_seed(seed, is_late, &disk_again);
    if (run.findings.first[0] != '\0') {
        print_error("seed %" PRIu64 ": %s\n", seed, run.findings.first);
    }
    assert_string_equal(run.findings.first, "");
    assert_int_equal(sim_get_counts(run.sim).output_hash, sim_get_counts(again.sim).output_hash);
    assert_int_equal(sim_get_counts(run.sim).steps, sim_get_counts(again.sim).steps);
    assert_int_equal(disk, disk_again);
    sim_free(again.sim);
    return run;
}
