#include "games/registry.h"
#include "tests/games/strength.h"
#include "tests/unit.h"

#define GAMES 20

static void one_careful_player_beats_random_players(void **unused)
{
    (void)unused;
    assert_true(strength_measure_careful_policy(&suppose_game, 3, GAMES) >
                0.65); /* a random player would win 0.33 of the games */
    assert_true(strength_measure_careful_policy(&suppose_game, 4, GAMES) > 0.55); /* 0.25 */
}

TEST_GROUP(suppose_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_random_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
