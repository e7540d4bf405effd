#include "games/registry.h"
#include "tests/games/strength.h"
#include "tests/unit.h"

#define GAMES 40

static void one_careful_player_beats_random_players(void **unused)
{
    (void)unused;
    assert_true(strength_measure_careful_policy(&head_and_tail_game, 3, GAMES) >
                0.75); /* a player who moves at random would win 0.33 of the games */
    assert_true(strength_measure_careful_policy(&head_and_tail_game, 4, GAMES) > 0.60); /* 0.25 */
    assert_true(strength_measure_careful_policy(&head_and_tail_game, 5, GAMES) > 0.50); /* 0.20 */
    assert_true(strength_measure_careful_policy(&head_and_tail_game, 6, GAMES) > 0.40); /* 0.17 */
}

TEST_GROUP(head_and_tail_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_random_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
