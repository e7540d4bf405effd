#include "tests/games/hund_table.h"
#include "tests/games/strength.h"
#include "tests/unit.h"

#define GAMES 400

static void one_careful_player_beats_random_players(void **unused)
{
    (void)unused;
    assert_true(strength_measure_careful_policy(&hund_game, 2, GAMES) >
                0.70); /* a player who moves at random would win 0.50 of the games */
    assert_true(strength_measure_careful_policy(&hund_game, 3, GAMES) > 0.62); /* 0.33 */
    assert_true(strength_measure_careful_policy(&hund_game, 4, GAMES) > 0.50); /* 0.25 */
    assert_true(strength_measure_careful_policy(&hund_game, 5, GAMES) > 0.42); /* 0.20 */
}

static uint8_t choose_careful_move(const struct game_state *state, int8_t seat)
{
    struct game_config config = hund_table_make_config(3, false, false);
    struct quick_random random;
    struct game_view view;
    quick_random_init(&random, 1);
    game_fill_view(&hund_game, state, seat, &view);
    return hund_careful_move(&view, &config, &random);
}

/* Plays a round up to the careful player's last choice and returns the move chosen. The first trick
 * makes grey trump and yellow hund; which of purple and pink becomes plus and which minus depends
 * on `moves`. The current trick has two purple cards, and the careful player holds one card above
 * and one card below both. */
static uint8_t play_round_and_choose_last_move(const char *const hands[4], const char *const *moves)
{
    struct hund_setup setup = {.players = 4, .number = 5};
    for (uint8_t seat = 0; seat < 4; seat++) {
        setup.hands[seat] = hands[seat];
    }
    struct game_state state = hund_table_start_round(&setup);
    played_make_moves(&hund_game, &state, moves, 7, NULL);
    return choose_careful_move(&state, 3);
}

static void the_careful_policy_wins_plus_tricks_and_ducks_minus_tricks(void **unused)
{
    (void)unused;
    static const char *const plus[] = {"grey-5 purple-2 green-1", "purple-5 purple-3 green-2",
                                       "yellow-5 purple-4 green-3", "pink-5 purple-6 purple-1"};
    static const char *const plus_moves[] = {"0 play:grey-5",  "1 play:purple-5", "2 play:yellow-5",
                                             "3 play:pink-5",  "0 play:purple-2", "1 play:purple-3",
                                             "2 play:purple-4"};
    assert_int_equal(play_round_and_choose_last_move(plus, plus_moves),
                     hund_table_find_card("purple-6"));
    static const char *const minus[] = {"grey-5 purple-2 green-1", "pink-5 purple-3 green-2",
                                        "yellow-5 purple-4 green-3", "purple-5 purple-6 purple-1"};
    static const char *const minus_moves[] = {
        "0 play:grey-5",   "1 play:pink-5",   "2 play:yellow-5", "3 play:purple-5",
        "0 play:purple-2", "1 play:purple-3", "2 play:purple-4"};
    assert_int_equal(play_round_and_choose_last_move(minus, minus_moves),
                     hund_table_find_card("purple-1"));
}

static void the_careful_policy_chooses_itself_as_the_first_player(void **unused)
{
    (void)unused;
    static const struct hund_setup setup = {
        .players = 3,
        .hands = {"purple-2", "purple-3", "purple-6"},
        .number = 5,
    };
    struct game_state state = hund_table_start_round(&setup);
    struct hund open = hund_table_get_state(&state);
    open.table.phase = HUND_START;
    open.table.to_act = 1 << 1;
    hund_table_set_state(&open, &state);
    assert_int_equal(choose_careful_move(&state, 1), HUND_START_FIRST + 1);
}

TEST_GROUP(hund_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_random_players),
        cmocka_unit_test(the_careful_policy_wins_plus_tricks_and_ducks_minus_tricks),
        cmocka_unit_test(the_careful_policy_chooses_itself_as_the_first_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
