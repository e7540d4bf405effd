#include "games/card.h"
#include "games/game.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/environment.h"
#include "tests/faults/data_check.h"
#include "tests/faults/run.h"
#include "tests/faults/sim.h"
#include "tests/faults/sim_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/*
 * The core in simulation: the test provides clock, random numbers, network and disk, and everything
 * that can fail does fail. SIM_SEEDS=1000 build/release/tests/test_faults simulation runs that many
 * seeds; SIM_FIRST=1234 sets the first one.
 */

#define MOD_COMMANDS_MAX 64
#define MOD_COMMANDS_UNTOLD 12
#define CONTROL_KILLS 100
#define CONTROL_STEPS 6000

/* Returns the moderation commands that were answered with `ok`: one bit for each command. */
static uint64_t list_commands_done(const struct ledger *ledger)
{
    const struct mod_command_info *words = NULL;
    uint64_t commands = 0;
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        assert_true(i < MOD_COMMANDS_MAX);
        for (size_t k = 0; k < ledger->order_count; k++) {
            const struct ledger_order *order = &ledger->orders[k];
            const size_t len = strlen(words->name);
            const bool is_it = strncmp(order->line, words->name, len) == 0 &&
                               (order->line[len] == ' ' || order->line[len] == '\0');
            commands |= (uint64_t)(is_it && order->done > 0) << i;
        }
    }
    return commands;
}

static void print_commands_never_done(uint64_t orders, uint64_t done)
{
    const struct mod_command_info *words = NULL;
    print_message("%" PRIu64 " orders carried out; none with:", orders);
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        if ((done >> i & 1) == 0) {
            print_message(" %s", words->name);
        }
    }
    print_message("\n");
}

static void no_reported_change_is_lost_and_a_run_depends_only_on_its_seed(void **state)
{
    (void)state;
    /* the players of the first two play every game, and claim tricks */
    const uint64_t first = environment_number("SIM_FIRST", 5);
    const uint64_t count = environment_number("SIM_SEEDS", environment_share(8));
    uint64_t troubles[TROUBLE_COUNT] = {0};
    uint64_t steps_made = 0;
    uint64_t moves = 0;
    uint64_t claims = 0;
    uint64_t outputs = 0;
    uint64_t checked = 0;
    uint64_t looks = 0;
    uint64_t orders = 0;
    uint64_t commands = 0;
    uint32_t games_seen = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct run run = run_with_seed_twice(seed, false);
        const struct sim_counts counts = sim_get_counts(run.sim);
        for (int i = 0; i < TROUBLE_COUNT; i++) {
            troubles[i] += run.troubles[i];
        }
        steps_made += counts.steps;
        moves += counts.moves;
        claims += counts.claims;
        outputs += counts.outputs;
        checked += run.findings.checked;
        looks += counts.looks;
        games_seen |= sim_ledger(run.sim)->games_seen;
        commands |= list_commands_done(sim_ledger(run.sim));
        orders += counts.orders;
        sim_free(run.sim);
    }
    print_message(
        "%" PRIu64 " seeds, each twice with the same bytes: %" PRIu64 " steps, %" PRIu64
        " moves and %" PRIu64 " claims answered ok, %" PRIu64 " messages told; %" PRIu64
        " power cuts, %" PRIu64 " kills at a change of the disk, %" PRIu64 " at a message, %" PRIu64
        " write errors, %" PRIu64 " times no room, %" PRIu64 " full disks; %" PRIu64
        " people saw the same after a restart; %" PRIu64 " facts checked, all there\n",
        count, steps_made, moves, claims, outputs, troubles[TROUBLE_POWER],
        troubles[TROUBLE_KILL_AT_CHANGE], troubles[TROUBLE_KILL_AT_OUTPUT], troubles[TROUBLE_ERROR],
        troubles[TROUBLE_NO_ROOM_ONCE], troubles[TROUBLE_FULL], looks, checked);
    print_commands_never_done(orders, commands);
    assert_true(looks > count);
    assert_true(claims > count);
    assert_int_equal(games_seen, (1U << game_count()) - 1);
}

/* Checks that the test above can fail: different seeds give different hashes. */
static void another_seed_gives_a_different_run(void **state)
{
    (void)state;
    uint64_t disk = 0;
    uint64_t other_disk = 0;
    struct run run = run_with_seed(1, false, &disk);
    struct run other = run_with_seed(2, false, &other_disk);
    assert_int_not_equal(sim_get_counts(run.sim).output_hash,
                         sim_get_counts(other.sim).output_hash);
    assert_int_not_equal(disk, other_disk);
    sim_free(run.sim);
    sim_free(other.sim);
}

/* The types of players' requests that change data. tests/lobby/house/test_repeats.c tests every
 * type of request in the same way, one at a time, in a house where nothing else fails. */
static const char *const requests[] = {
    "sign_in",     "say",        "tell",       "table_open", "table_enter",
    "table_leave", "seat_take",  "seat_leave", "bot_add",    "table_start",
    "move",        "pause",      "resume",     "rematch",    "settings_set",
    "claim",       "table_pace", "quick",      "learn",
};

/* Seeds of the houses in which answers get lost. With these, the rare requests come early; with
 * others the test may take twice as long. In the first two, a request whose answer is lost has the
 * number of the player's table. */
static const uint64_t house_seeds[] = {3, 10, 2};

/* Loses the answer to one request of each type in a new house. Adds to the sums how many answers
 * were committed and not told, and how many of them a later core told. */
static void lose_answers(uint64_t seed, uint64_t *untold, uint64_t *told_after)
{
    const struct sim_options options = {.seed = seed, .players = 6};
    struct run run = run_begin(&options);
    sim_kill_core_before_answer(run.sim, "sign_up"); /* the first lost answer; the loop below loses
                                                        answers to the other types of requests */
    run_until_core_dies(&run);
    const uint64_t lost = environment_share(ARRAY_LEN(requests));
    for (size_t i = 0; i < lost; i++) {
        run_sim_steps(&run, quick_random_draw_below(&run.random, 100));
        sim_kill_core_before_answer(run.sim, requests[i]);
        run_until_core_dies(&run);
        if (quick_random_draw_below(&run.random, 2) == 0) {
            run_cause_trouble(&run, TROUBLE_KILL_AT_OUTPUT); /* the next core also dies soon */
        }
    }
    run_sim_steps(&run, RUN_GAP_STEPS);
    data_check_disk(sim_disk(run.sim), sim_ledger(run.sim), &run.findings);
    assert_string_equal(run.findings.first, "");
    const struct sim_counts counts = sim_get_counts(run.sim);
    assert_int_equal(counts.untold, 1 + lost);
    assert_int_equal(counts.told_otherwise, 0);
    *untold += counts.untold;
    *told_after += counts.told_after;
    sim_free(run.sim);
}

static void the_next_core_sends_answers_that_were_committed_but_not_sent(void **state)
{
    (void)state;
    const uint64_t houses = environment_share(ARRAY_LEN(house_seeds));
    uint64_t untold = 0;
    uint64_t told_after = 0;
    for (uint64_t i = 0; i < houses; i++) {
        lose_answers(house_seeds[i], &untold, &told_after);
    }
    print_message("%" PRIu64 " answers committed and not told, %" PRIu64 " told by a later core\n",
                  untold, told_after);
    /* the other connections have ended, or the next answer was lost before the player came back */
    assert_true(told_after + 2 > untold * 8 / 10); /* of a few, two may be lost by chance */
}

static void send_after_lost_answer(struct sim *sim, int64_t conn, const char *json)
{
    const struct house_output output = {.conn = conn, .json = json, .len = strlen(json)};
    assert_true(sim_may_send_answer(sim, &output));
}

/* Checks that the comparison of answers can fail, and that it compares nothing but answers: other
 * messages also have an `id`, which may be equal to that of the request. */
static void only_an_answer_to_the_same_request_is_compared_with_the_lost_one(void **state)
{
    static const struct {
        const char *json;
        uint64_t told_after, told_otherwise;
    } answers[] = {
        {"{\"t\":\"ok\",\"id\":12,\"table\":3}", 1, 0},
        {"{\"t\":\"ok\",\"id\":12,\"table\":4}", 0, 1},
        {"{\"t\":\"no\",\"id\":12,\"code\":\"full\",\"why\":\"No room.\"}", 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        struct sim *sim = memory_new(sizeof(*sim));
        sim->untold.conn = SIM_CONN_FIRST;
        sim->untold.json = memory_check_allocated(strdup(answers[0].json));
        send_after_lost_answer(sim, SIM_CONN_FIRST, "{\"t\":\"table\",\"id\":12}");
        send_after_lost_answer(sim, SIM_CONN_FIRST, "{\"t\":\"ok\",\"id\":13}");
        send_after_lost_answer(sim, SIM_CONN_FIRST + 1, "{\"t\":\"ok\",\"id\":12}");
        assert_int_equal(sim->counts.told_after + sim->counts.told_otherwise, 0);
        send_after_lost_answer(sim, SIM_CONN_FIRST, answers[i].json);
        assert_int_equal(sim->counts.told_after, answers[i].told_after);
        assert_int_equal(sim->counts.told_otherwise, answers[i].told_otherwise);
        assert_null(sim->untold.json);
        free(sim);
    }
}

static void the_next_core_answers_a_moderation_command_carried_out_but_not_answered(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .has_staff = true};
    struct run run = run_begin(&options);
    for (uint64_t i = 1; i <= MOD_COMMANDS_UNTOLD; i++) {
        sim_kill_core_before_answer(run.sim, "mod");
        while (sim_get_counts(run.sim).untold < i) {
            run_until_core_dies(&run);
        }
        run_sim_steps(&run, quick_random_draw_below(&run.random, 100));
    }
    run_sim_steps(&run, RUN_GAP_STEPS);
    data_check_disk(sim_disk(run.sim), sim_ledger(run.sim), &run.findings);
    assert_string_equal(run.findings.first, "");
    const struct sim_counts counts = sim_get_counts(run.sim);
    assert_int_equal(counts.told_otherwise, 0);
    assert_true(counts.told_after >
                counts.untold / 2); /* the other players' connections have ended */
    sim_free(run.sim);
}

/* Checks that the data check can fail: it notices the loss of a moderation command that the core
 * answered before committing it. */
static void the_data_check_notices_a_moderation_command_answered_before_its_commit(void **state)
{
    (void)state;
    const struct sim_options options = {
        .seed = 1, .players = 6, .has_staff = true, .tells_first = true};
    struct findings findings = {0};
    struct quick_random random;
    struct sim *sim = sim_new(&options);
    quick_random_init(&random, 1);
    for (int i = 0; i < CONTROL_KILLS && findings.orders == 0; i++) {
        const uint64_t deaths = sim_get_counts(sim).deaths;
        sim_kill_core_at_disk_change(sim, 1 + quick_random_draw_below(&random, 100));
        while (sim_get_counts(sim).deaths == deaths) {
            sim_step(sim);
        }
        data_check_disk(sim_disk(sim), sim_ledger(sim), &findings);
    }
    assert_true(findings.orders > 0);
    sim_free(sim);
}

/* Counts the facts that the data check finds lost after this SQL has changed the data. */
static uint64_t count_facts_lost_after_sql(struct sim *sim, const char *sql)
{
    struct findings findings = {0};
    sqlite3 *db = NULL;
    struct disk *copy = disk_copy(sim_disk(sim));
    struct disk *before = disk_use_for_new_files(copy);
    assert_int_equal(sqlite3_open_v2("house.db", &db, SQLITE_OPEN_READWRITE, DISK_NAME), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    (void)disk_use_for_new_files(before);
    data_check_disk(copy, sim_ledger(sim), &findings);
    disk_free(copy);
    return findings.lost;
}

/* Checks that the data check can fail: it notices that the effect of a moderation command is
 * missing, unless another command has the same effect. */
static void the_data_check_notices_a_moderation_command_without_its_effect(void **state)
{
    static const char *const losses[] = {
        "DELETE FROM sanction_sources; DELETE FROM sanctions",
        "UPDATE sanctions SET ended_ms = since_ms + 1, ended_by = 'nobody'",
        "UPDATE accounts SET role = 0",
        "UPDATE accounts SET name = 'x' || id",
        "UPDATE chat SET hidden_ms = 0",
        "DELETE FROM staff_notes",
    };
    (void)state;
    const struct sim_options options = {
        .seed = 1, .players = 6, .is_fault_free = true, .has_staff = true};
    struct sim *sim = sim_new(&options);
    for (int i = 0; i < CONTROL_STEPS; i++) {
        sim_step(sim);
    }
    assert_int_equal(count_facts_lost_after_sql(sim, "SELECT 1"), 0);
    for (size_t i = 0; i < ARRAY_LEN(losses); i++) {
        if (count_facts_lost_after_sql(sim, losses[i]) == 0) {
            fail_msg("not found out: %s", losses[i]);
        }
    }
    sim_free(sim);
}

/* Checks that the comparison can fail: it notices that something is gone after a restart. */
static void the_comparison_notices_what_the_next_core_shows_differently(void **state)
{
    static const char *const losses[] = {
        "DELETE FROM kept_tells; DELETE FROM chat",
        "UPDATE table_seats SET is_absent = 1 - is_absent", "UPDATE accounts SET role = 2 - role",
        "SELECT 1", /* this SQL changes nothing, so no difference may be found */
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(losses); i++) {
        const struct sim_options options = {
            .seed = 2, .players = 6, .is_fault_free = true, .spoils_look = losses[i]};
        struct sim *sim = sim_new(&options);
        for (int step = 0; step < CONTROL_STEPS; step++) {
            sim_step(sim);
        }
        sim_kill_core_and_compare_views(sim, "the control");
        assert_true(sim_get_counts(sim).looks > 0);
        if ((sim_get_counts(sim).seen_otherwise == 0) != (i == ARRAY_LEN(losses) - 1)) {
            fail_msg("a difference was missed or imagined after: %s", losses[i]);
        }
        sim_free(sim);
    }
}

/* When nothing fails, players finish games. If they did not, the tests above would prove little. */
static void games_are_played_to_the_end_when_nothing_fails(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .is_fault_free = true};
    struct sim *sim = sim_new(&options);
    struct findings findings = {0};
    for (int i = 0; i < 20000; i++) {
        sim_step(sim);
    }
    data_check_disk(sim_disk(sim), sim_ledger(sim), &findings);
    assert_string_equal(findings.first, "");
    assert_true(sim_ledger(sim)->told_results > 0);
    assert_true(sim_get_counts(sim).moves > 500);
    assert_int_equal(sim_get_counts(sim).ended, 0);
    sim_free(sim);
}

TEST_GROUP(simulation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_reported_change_is_lost_and_a_run_depends_only_on_its_seed),
        cmocka_unit_test(another_seed_gives_a_different_run),
        cmocka_unit_test(the_next_core_sends_answers_that_were_committed_but_not_sent),
        cmocka_unit_test(only_an_answer_to_the_same_request_is_compared_with_the_lost_one),
        cmocka_unit_test(the_next_core_answers_a_moderation_command_carried_out_but_not_answered),
        cmocka_unit_test(the_data_check_notices_a_moderation_command_answered_before_its_commit),
        cmocka_unit_test(the_data_check_notices_a_moderation_command_without_its_effect),
        cmocka_unit_test(the_comparison_notices_what_the_next_core_shows_differently),
        cmocka_unit_test(games_are_played_to_the_end_when_nothing_fails),
    };
    return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
