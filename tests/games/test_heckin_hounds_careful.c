#include "games/registry.h"
#include "tests/games/strength.h"
#include "tests/unit.h"

static void one_careful_player_beats_random_players_at_a_table_of_any_size(void **unused)
{
    (void)unused;
    /* Players who bid at random bid too much, and even more so when more players share the five
     * tricks. */
    static const double least[] = {0.75, 0.80, 0.88, 0.92, 0.94, 0.96};
    for (uint8_t players = 2; players <= 7; players++) {
        double wins = strength_measure_careful_policy(&heckin_hounds_game, players, 500);
        assert_true(wins > least[players - 2]);
    }
}

TEST_GROUP(heckin_hounds_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_random_players_at_a_table_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
