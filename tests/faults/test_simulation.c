#include "tests/faults/proof.h"
#include "tests/faults/sim.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

static void the_players_of_a_simulation_play_games_to_their_ends(void **state)
{
    (void)state;
    const struct sim_options options = {.seed = 1, .players = 6, .is_fault_free = true};
    struct sim *sim = sim_new(&options);
    for (int i = 0; i < 20000; i++) {
        sim_step(sim);
    }
    struct proof proof = {0};
    proof_check(sim_disk(sim), sim_ledger(sim), &proof);
    const struct sim_counts counts = sim_counts(sim);
    const struct ledger *ledger = sim_ledger(sim);
    print_message("%" PRIu64 " commits, %" PRIu64 " outputs, %" PRIu64 " moves, %" PRIu64
                  " results, %" PRIu64 " lines, %zu accounts, %zu tables, ended %" PRIu64
                  ", checked %" PRIu64 ", disk %zu\n",
                  counts.commits, counts.outputs, counts.moves, ledger->told_results,
                  ledger->told_lines, ledger->account_count, ledger->table_count, counts.ended,
                  proof.checked, disk_size(sim_disk(sim)));
    assert_string_equal(proof.first, "");
    sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_players_of_a_simulation_play_games_to_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
