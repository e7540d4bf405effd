#include "tests/games/hund_table.h"
#include "tests/unit.h"

#include <string.h>

/* The cards of the two players and of the virtual player, ten each; the virtual player's lower
 * row comes first. Seat 0 is the dealer, so the virtual player sits to its left, and seat 1
 * comes next. */
static const struct hund_setup two_players = {
    .players = 2,
    .hands = {"grey-1 grey-2 grey-3 purple-1 purple-2 pink-1 pink-2 pink-3 yellow-1 yellow-2",
              "grey-4 grey-6 purple-3 purple-4 pink-4 green-1 green-2 green-3 green-4 yellow-3",
              "purple-6 pink-6 green-6 yellow-6 green-5 "
              "purple-5 grey-5 pink-5 yellow-5 yellow-4"},
    .number = 5,
    .dealer = 0,
    .first = 1,
};

static void fill_view_for(const struct game_state *state, int8_t seat, struct game_view *view)
{
    game_fill_view(&hund_game, state, seat, view);
}

static void left_of_the_dealer_sit_the_virtual_player_and_then_the_other_person(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&two_players);
    struct game_view view;
    fill_view_for(&state, 0, &view);
    static const uint8_t seats[] = {2, 1, 0};
    assert_memory_equal(hund_known(&view)->order, seats, sizeof(seats));
    HUND_MAKE(&state, "1 play:purple-3");
    fill_view_for(&state, 0, &view);
    assert_int_equal(view.to_act, 1 << 0);
}

static void
the_virtual_player_plays_its_leftmost_card_of_the_suit_led_or_else_its_leftmost_card(void **unused)
{
    (void)unused;
    uint8_t tops[HUND_COLUMNS] = {CARD_NONE, hund_table_find_card("grey-5"),
                                  hund_table_find_card("pink-5"), hund_table_find_card("yellow-5"),
                                  hund_table_find_card("yellow-4")};
    assert_int_equal(hund_virtual_choose_column(tops, hund_suit(hund_table_find_card("pink-1"))),
                     2);
    assert_int_equal(hund_virtual_choose_column(tops, hund_suit(hund_table_find_card("yellow-1"))),
                     3);
    assert_int_equal(hund_virtual_choose_column(tops, hund_suit(hund_table_find_card("purple-1"))),
                     1);
    assert_int_equal(hund_virtual_choose_column(tops, SUIT_NONE), 1);
    memset(tops, CARD_NONE, sizeof(tops));
    assert_int_equal(hund_virtual_choose_column(tops, SUIT_NONE), HUND_COLUMNS);
}

static void an_uncovered_card_is_turned_face_up_only_after_the_trick(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&two_players);
    struct game_view view;
    HUND_MAKE(&state, "1 play:yellow-3",
              "0 play:yellow-1"); /* the virtual player plays last in the trick */
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(view.past_count, 1);
    assert_int_equal(view.past[0].winner,
                     2); /* the virtual player plays yellow-5, its leftmost yellow card */
    assert_int_equal(view.trick.count,
                     1); /* the virtual player leads its leftmost card: purple-5 */
    assert_int_equal(view.trick.plays[0].card, hund_table_find_card("purple-5"));
    assert_true(view.hands[2][8].is_empty);
    assert_int_equal(view.hands[2][3].card, hund_table_find_card("yellow-6"));
    assert_true(view.hands[2][5].is_empty);
    assert_int_equal(view.hands[2][0].card,
                     CARD_NONE); /* this card was uncovered in the middle of the trick */
    HUND_MAKE(&state, "1 play:purple-4", "0 play:purple-1");
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(view.trick.plays[0].card,
                     /* this card was turned face up after the trick, then led */
                     hund_table_find_card("purple-6"));
    assert_int_equal(view.hands[2][1].card, CARD_NONE);
}

static void covered_cards_are_hidden_and_face_up_cards_are_public(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&two_players);
    struct game_view view;
    for (int8_t seat = SPECTATOR; seat < 3; seat++) {
        fill_view_for(&state, seat, &view);
        for (uint8_t i = 0; i < 10; i++) {
            assert_int_equal(view.hands[2][i].card == CARD_NONE, i < 5);
        }
        assert_int_equal(view.hands[0][0].card == CARD_NONE, seat != 0);
    }
    fill_view_for(&state, SPECTATOR, &view);
    assert_int_equal(hund_game.face->columns(&view, 2), HUND_COLUMNS);
    assert_int_equal(hund_game.face->columns(&view, 0), 0);
}

static void with_the_option_more_cards_each_face_up_card_covers_two_others(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(2, true, true);
    struct game_state state;
    struct game_view view;
    assert_int_equal(game_start(&hund_game, &config, counting_seed, &state, NULL), GAME_OK);
    fill_view_for(&state, 0, &view);
    assert_int_equal(view.slot_count[2], 15);
    for (uint8_t i = 0; i < 15; i++) {
        assert_int_equal(view.hands[2][i].card == CARD_NONE, i < 10);
    }
}

static void the_virtual_player_as_first_player_leads_its_leftmost_card(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&two_players);
    struct hund open = hund_table_get_state(&state);
    open.table.phase = HUND_START;
    open.table.to_act = 1 << 1;
    hund_table_set_state(&open, &state);
    struct game_view view;
    HUND_MAKE(&state, "1 start:2");
    fill_view_for(&state, 0, &view);
    assert_int_equal(view.step, 1);
    assert_int_equal(view.trick.count, 1);
    assert_int_equal(view.trick.plays[0].seat, 2);
    assert_int_equal(view.trick.plays[0].card, hund_table_find_card("purple-5"));
    assert_int_equal(view.to_act, 1 << 1);
    struct hund_board board;
    hund_board_read_view(&view, &board);
    assert_int_equal(board.count, 1); /* this card made purple trump */
}

static void the_virtual_player_selects_no_designating_card(void **unused)
{
    (void)unused;
    struct hund_setup setup = two_players;
    setup.has_select = true;
    setup.first = 0; /* the seat left of the first player is the virtual player */
    struct game_state state = hund_table_start_round(&setup);
    struct game_view view;
    HUND_MAKE(&state, "1 select:grey-1", "0 select:pink-2", "1 select:green-3", "0 select:yellow-4",
              "1 select:purple-5");
    fill_view_for(&state, 0, &view);
    assert_int_equal(view.phase, HUND_PLAY);
    assert_int_equal(view.to_act, 1 << 0);
}

/* Returns the result of a finished round in which the seat winners[i] took the trick cards[i];
 * yellow is lead and pink is hund. */
static struct hund_result compute_round_result(const char *const (*cards)[3],
                                               const uint8_t *winners, uint8_t tricks)
{
    struct game_state state = hund_table_start_round(&two_players);
    struct hund open = hund_table_get_state(&state);
    static const uint8_t roles[] = {0, 1, 2, 3, 4};
    memcpy(open.board.roles, roles, sizeof(roles));
    open.board.count = HUND_ROLES;
    open.table.past_count = tricks;
    for (uint8_t i = 0; i < tricks; i++) {
        open.table.leads[i + 1] = winners[i];
        for (uint8_t j = 0; j < 3; j++) {
            open.table.plays[3 * i + j] = hund_table_find_card(cards[i][j]);
        }
    }
    struct hund_result result;
    hund_compute_result(&open, &result);
    return result;
}

static void
a_person_chooses_the_next_first_player_when_the_virtual_player_has_most_lead_cards(void **unused)
{
    (void)unused;
    static const char *const some[][3] = {{"yellow-6", "yellow-5", "yellow-4"},
                                          {"yellow-1", "grey-1", "grey-2"},
                                          {"yellow-2", "grey-3", "grey-4"}};
    static const uint8_t winners[] = {2, 0, 1};
    assert_int_equal(compute_round_result(some, winners, 3).chooser, 1);
    static const uint8_t all_its[] = {2, 2, 2};
    assert_int_equal(compute_round_result(some, all_its, 3).chooser, 0); /* seat 1 is the dealer */
}

static void the_virtual_player_can_have_most_or_fewest_hund_cards(void **unused)
{
    (void)unused;
    static const char *const cards[][3] = {{"pink-1", "pink-2", "pink-3"},
                                           {"pink-4", "grey-1", "grey-2"},
                                           {"grey-5", "grey-3", "grey-4"}};
    static const uint8_t winners[] = {2, 0, 1};
    struct hund_result result = compute_round_result(cards, winners, 3);
    assert_int_equal(result.points[0], HUND_BONUS);
    assert_int_equal(result.points[1], 0);
    assert_int_equal(result.points[2], 0);
}

static void the_virtual_players_total_can_end_a_game_but_is_never_ranked(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(2, false, true);
    struct game_state state;
    assert_int_equal(game_start(&hund_game, &config, counting_seed, &state, NULL), GAME_OK);
    struct hund open = hund_table_get_state(&state);
    assert_false(hund_game_is_over(&open));
    open.table.scores[2] = 21;
    assert_true(hund_game_is_over(&open));
    open.table.scores[1] = 3;
    hund_table_set_state(&open, &state);
    static struct game_outcome outcome;
    game_fill_outcome(&hund_game, &state, &outcome);
    assert_int_equal(outcome.scores[2], 21);
    assert_int_equal(outcome.ranks[2], 0);
    assert_int_equal(outcome.ranks[1], 1);
    assert_int_equal(outcome.ranks[0], 2);
    assert_int_equal(outcome.winners, 1 << 1);
}

static void the_first_dealer_and_first_player_are_never_the_virtual_player(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(2, false, false);
    for (uint8_t i = 0; i < 100; i++) {
        uint8_t seed[SEED_BYTES] = {i};
        struct game_state state;
        assert_int_equal(game_start(&hund_game, &config, seed, &state, NULL), GAME_OK);
        struct hund open = hund_table_get_state(&state);
        assert_true(open.dealer < 2 && open.first < 2);
    }
}

static void impossible_cards_of_the_virtual_player_in_a_view_are_refused(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&two_players);
    struct game_view view;
    uint8_t slots[SLOTS_MAX];
    HUND_MAKE(&state, "1 play:yellow-3", "0 play:yellow-1");
    fill_view_for(&state, SPECTATOR, &view);
    assert_true(hund_virtual_trace_plays(&view, slots));
    assert_int_equal(slots[0], 8);
    assert_int_equal(slots[1], 5);
    view.past[0].plays[1].seat = 2; /* the virtual player has one card more than it should have */
    assert_false(hund_virtual_trace_plays(&view, slots));
    fill_view_for(&state, SPECTATOR, &view);
    view.hands[2][8] = view.hands[2][9]; /* now the virtual player seems to have played from a
                                            column that the rules do not allow */
    view.hands[2][9].is_empty = true;
    view.hands[2][4].card = hund_table_find_card("green-5");
    view.hands[2][3].card = CARD_NONE;
    assert_false(hund_virtual_trace_plays(&view, slots));
}

TEST_GROUP(hund_virtual)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_of_the_dealer_sit_the_virtual_player_and_then_the_other_person),
        cmocka_unit_test(
            the_virtual_player_plays_its_leftmost_card_of_the_suit_led_or_else_its_leftmost_card),
        cmocka_unit_test(an_uncovered_card_is_turned_face_up_only_after_the_trick),
        cmocka_unit_test(covered_cards_are_hidden_and_face_up_cards_are_public),
        cmocka_unit_test(with_the_option_more_cards_each_face_up_card_covers_two_others),
        cmocka_unit_test(the_virtual_player_as_first_player_leads_its_leftmost_card),
        cmocka_unit_test(the_virtual_player_selects_no_designating_card),
        cmocka_unit_test(
            a_person_chooses_the_next_first_player_when_the_virtual_player_has_most_lead_cards),
        cmocka_unit_test(the_virtual_player_can_have_most_or_fewest_hund_cards),
        cmocka_unit_test(the_virtual_players_total_can_end_a_game_but_is_never_ranked),
        cmocka_unit_test(the_first_dealer_and_first_player_are_never_the_virtual_player),
        cmocka_unit_test(impossible_cards_of_the_virtual_player_in_a_view_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
