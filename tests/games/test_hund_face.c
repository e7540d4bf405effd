#include "tests/games/hund_table.h"
#include "tests/unit.h"

static const struct hund_setup three = {
    .players = 3,
    .hands = {"grey-1 pink-2 pink-1", "purple-1 grey-2 green-2", "yellow-1 green-1 yellow-2"},
    .number = 1,
};

static struct game_view make_view_for(const struct game_state *state, int8_t seat)
{
    struct game_view view;
    game_fill_view(&hund_game, state, seat, &view);
    return view;
}

static void assert_phrase(struct phrase phrase, const char *expected)
{
    played_expect_phrase(&hund_deck, phrase, expected);
}

static void assert_refused(const struct game_view *view, const char *move, const char *why)
{
    assert_phrase(face_refusal(view, game_move_parse(&hund_game, move)), why);
}

static void the_board_shows_each_role_as_soon_as_it_is_given(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct face_fact facts[FACE_BOARD_MAX];
    struct phrase line[FACE_HEADLINE_MAX];
    HUND_MAKE(&state, "0 play:grey-1");
    struct game_view view = make_view_for(&state, 1);
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 2);
    assert_string_equal(facts[HUND_TRUMP].label, "trump");
    assert_phrase(facts[HUND_LEAD].value, "?");
    assert_int_equal(hund_face.headline(&view, line), 2);
    assert_phrase(line[0], "the 1s give roles");
    assert_phrase(line[1], "trump grey");
}

static void the_board_names_the_player_whose_card_gave_a_role(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct face_fact facts[FACE_BOARD_MAX];
    HUND_MAKE(&state, "0 play:grey-1", "1 play:grey-2", "2 play:yellow-1");
    struct game_view view = make_view_for(&state, 1);
    (void)hund_face.board(&view, NULL, facts);
    assert_string_equal(facts[HUND_PLUS].value.format, "{0} by {1}");
    assert_int_equal(facts[HUND_TRUMP].value.args[1].number, 0);
    assert_int_equal(facts[HUND_PLUS].value.args[1].number, 2);
}

static void the_board_lists_the_cards_of_the_number_until_no_role_is_left(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct face_fact facts[FACE_BOARD_MAX];
    HUND_MAKE(&state, "0 play:grey-1");
    struct game_view view = make_view_for(&state, 1);
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 2);
    assert_phrase(facts[HUND_ROLES].value, "purple-1, pink-1, green-1, yellow-1");
    HUND_MAKE(&state, "1 play:grey-2", "2 play:yellow-1", "1 play:purple-1", "2 play:green-1",
              "0 play:pink-1");
    view = make_view_for(&state, 1);
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 1);
    assert_string_equal(facts[HUND_LEAD].value.format, "{0}");
    assert_string_equal(facts[HUND_ROLES].label, "later rounds");
}

/* Returns the view of a round, with these numbers in the designation pile. */
static struct game_view make_view_with_pile(uint8_t round, const char *pile)
{
    struct hund_setup setup = three;
    setup.round = round;
    setup.number = (uint8_t)(pile[round - 1] - '0');
    struct game_state state = hund_table_start_round(&setup);
    struct hund open = hund_table_get_state(&state);
    for (uint8_t i = 0; i < HUND_SUITS; i++) {
        open.pile[i] = (uint8_t)(pile[i] - '0');
    }
    hund_table_set_state(&open, &state);
    return make_view_for(&state, 0);
}

static void the_board_lists_the_numbers_of_later_rounds(void **unused)
{
    (void)unused;
    struct face_fact facts[FACE_BOARD_MAX];
    struct game_view view = make_view_with_pile(1, "42531");
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 3);
    assert_phrase(facts[HUND_ROLES + 2].value, "1, 2, 3, 5");
    view = make_view_with_pile(4, "42531");
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 3);
    assert_phrase(facts[HUND_ROLES + 2].value, "1");
    view = make_view_with_pile(5, "42531");
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 2);
}

static void a_game_with_selected_cards_says_at_which_totals_it_ends(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(3, false, true);
    struct game_view view = make_view_with_pile(5, "42531");
    struct face_fact facts[FACE_BOARD_MAX];
    uint8_t count = hund_face.board(&view, NULL, facts);
    assert_int_equal(hund_face.board(&view, &config, facts), count + 1);
    assert_phrase(facts[count].value, "20 or -15");
    config = hund_table_make_config(3, false, false);
    assert_int_equal(hund_face.board(&view, &config, facts), count);
}

static void the_board_lists_selected_cards_until_they_are_played(void **unused)
{
    (void)unused;
    struct hund_setup setup = three;
    setup.has_select = true;
    struct game_state state = hund_table_start_round(&setup);
    struct face_fact facts[FACE_BOARD_MAX];
    HUND_MAKE(&state, "1 select:grey-1", "2 select:pink-2", "0 select:green-3", "1 select:purple-4",
              "2 select:yellow-5");
    struct game_view view = make_view_for(&state, 0);
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 2);
    assert_phrase(facts[HUND_ROLES].value, "grey-1, purple-4, pink-2, green-3");
    assert_phrase(facts[HUND_ROLES + 1].value, "yellow-5");
    HUND_MAKE(&state, "0 play:grey-1");
    view = make_view_for(&state, 0);
    assert_int_equal(hund_face.board(&view, NULL, facts), HUND_ROLES + 1);
    assert_phrase(facts[HUND_ROLES].value, "purple-4, pink-2, green-3, yellow-5");
}

static void a_players_badges_count_the_taken_cards_of_suits_with_a_role(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct phrase badges[FACE_BADGES_MAX];
    struct game_view view = make_view_for(&state, 0);
    assert_int_equal(hund_face.badges(&view, 0, badges), 1);
    assert_phrase(badges[0], "dealer");
    HUND_MAKE(&state, "0 play:grey-1", "1 play:grey-2", "2 play:yellow-1");
    view = make_view_for(&state, 0);
    assert_int_equal(hund_face.badges(&view, 1, badges), 1);
    assert_phrase(badges[0], "plus 1");
    HUND_MAKE(&state, "1 play:purple-1", "2 play:green-1", "0 play:pink-1");
    view = make_view_for(&state, 0);
    assert_int_equal(hund_face.badges(&view, 1, badges), 4);
    assert_phrase(badges[0], "plus 1");
    assert_phrase(badges[1], "hund 1");
    assert_phrase(badges[2], "minus 1");
    assert_phrase(badges[3], "lead 1");
}

static void a_refusal_says_why_the_move_is_illegal(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct game_view view = make_view_for(&state, 1);
    assert_refused(&view, "play:grey-2", "it is not your turn");
    HUND_MAKE(&state, "0 play:grey-1");
    view = make_view_for(&state, 1);
    assert_refused(&view, "play:green-2", "must follow grey: you have 1 of them");
    assert_refused(&view, "play:pink-6", "you do not hold pink-6");
    assert_refused(&view, "select:grey-1", "the round has begun: play a card");
    assert_refused(&view, "play:grey-2", "");
}

static void a_card_with_the_suit_or_number_of_a_selected_card_cannot_be_selected(void **unused)
{
    (void)unused;
    struct game_config config = hund_table_make_config(3, false, true);
    struct game_state state;
    assert_int_equal(game_start(&hund_game, &config, counting_seed, &state, NULL), GAME_OK);
    struct game_view view = make_view_for(&state, 0); /* seat 2 is the first player */
    assert_phrase(face_prompt(&view), "Name card 1 of 5 that will give a suit its role");
    HUND_MAKE(&state, "0 select:grey-1");
    view = make_view_for(&state, 1);
    assert_phrase(face_prompt(&view), "Name card 2 of 5 that will give a suit its role");
    assert_refused(&view, "select:grey-2", "grey has its card: grey-1");
    assert_refused(&view, "select:pink-1", "the number 1 is taken: grey-1");
    assert_refused(&view, "select:pink-7", "there is no pink-7: values go up to 6");
    assert_refused(&view, "start:1", "name a designating card first");
    assert_int_equal(hund_face.point(&view, 0), MOVE_NONE);
    assert_string_equal(face_describe_turn(&view), "to name a card");
}

static void a_score_row_explains_the_parts_of_its_points(void **unused)
{
    (void)unused;
    static struct score_row row = {.part_count = HUND_PARTS, .points = {4, 2}};
    row.parts[HUND_PART_PLUS][0] = 2;
    row.parts[HUND_PART_HUND][0] = 3;
    row.parts[HUND_PART_MINUS][0] = -1;
    assert_phrase(hund_face.explain(&row, 0),
                  "plus cards 2: +2, neither most nor fewest hund cards: +3, minus cards 1: -1");
    row.parts[HUND_PART_HUND][0] = 0;
    row.parts[HUND_PART_MINUS][0] = 0;
    row.parts[HUND_PART_PLUS][0] = 0;
    row.choosers = 1U << 1;
    assert_phrase(hund_face.explain(&row, 0),
                  "plus cards 0: 0, most or fewest hund cards: 0, minus cards 0: 0");
    row.parts[HUND_PART_HUND][1] = 3;
    assert_phrase(
        hund_face.explain(&row, 1),
        "plus cards 0: 0, neither most nor fewest hund cards: +3, minus cards 0: 0; lead cards: "
        "chooses who leads next");
    row.part_count = 0;
    assert_phrase(hund_face.explain(&row, 1), "2");
}

static void a_finished_trick_says_that_trump_won_it(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    HUND_MAKE(&state, "0 play:grey-1", "1 play:grey-2", "2 play:yellow-1");
    struct game_view view = make_view_for(&state, SPECTATOR);
    assert_phrase(hund_face.why_won(&view, &view.last_trick), "highest trump");
    view.last_trick.winner = 2;
    assert_phrase(hund_face.why_won(&view, &view.last_trick), "highest trump");
}

/* Adds the cards that each player knows to a spectator's view, as replays do. */
static void fill_view_of_all_hands(const struct game_state *state, uint8_t players,
                                   struct game_view *out)
{
    game_fill_view(&hund_game, state, SPECTATOR, out);
    for (uint8_t viewer = 0; viewer < players; viewer++) {
        struct game_view view;
        game_fill_view(&hund_game, state, (int8_t)viewer, &view);
        for (uint8_t slot = 0; slot < view.slot_count[0]; slot++) {
            out->hands[viewer][slot] = view.hands[viewer][slot];
        }
    }
}

static void only_the_virtual_player_has_columns(void **unused)
{
    (void)unused;
    for (uint8_t players = 2; players <= 4; players++) {
        const uint8_t seed[SEED_BYTES] = {players};
        struct game_config config = game_config_default(&hund_game, players);
        struct quick_random random;
        struct game_state state;
        quick_random_init(&random, players);
        assert_int_equal(game_start(&hund_game, &config, seed, &state, NULL), GAME_OK);
        for (int step = 0; step < 3 * players; step++) { /* nobody has played all cards yet */
            struct game_view all, own;
            fill_view_of_all_hands(&state, players, &all);
            for (uint8_t seat = 0; seat < all.seats; seat++) {
                uint8_t expected = seat < players ? 0 : HUND_COLUMNS;
                game_fill_view(&hund_game, &state, (int8_t)(seat == 0 ? 1 : 0), &own);
                assert_int_equal(hund_face.columns(&all, seat), expected);
                assert_int_equal(hund_face.columns(&own, seat), expected);
            }
            uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
            game_fill_view(&hund_game, &state, (int8_t)seat, &own);
            uint8_t move = policy_random_move(&own, &config, &random);
            assert_int_equal(game_apply(&hund_game, &state, seat, move, NULL), GAME_OK);
        }
    }
}

static void a_suit_led_says_that_it_is_trump_from_the_trick_in_which_it_became_trump(void **unused)
{
    (void)unused;
    static const struct hund_setup setup = {
        .players = 3,
        .hands = {"grey-2 pink-2 pink-1", "grey-3 grey-1 green-2", "grey-4 green-1 yellow-2"},
        .number = 1,
    };
    struct game_state state = hund_table_start_round(&setup);
    HUND_MAKE(&state, "0 play:grey-2", "1 play:grey-3", "2 play:grey-4", "2 play:green-1",
              "0 play:pink-2", "1 play:green-2");
    struct game_view view = make_view_for(&state, SPECTATOR);
    assert_phrase(hund_face.why_won(&view, &view.past[0]), "highest grey");
    assert_phrase(hund_face.why_won(&view, &view.past[1]), "highest trump");
    view.past_count = 0; /* the trick of another round, whose trump the view does not show */
    assert_phrase(hund_face.why_won(&view, &view.last_trick), "highest green");
}

static void the_short_names_of_suits_are_spelled(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct game_view view = make_view_for(&state, 0);
    assert_phrase(hund_face.card_signs(&view), "GRey PUrple PInk GreeN YEllow");
}

static void moves_that_choose_the_first_player_are_labelled_with_the_player(void **unused)
{
    (void)unused;
    struct game_state state = hund_table_start_round(&three);
    struct hund open = hund_table_get_state(&state);
    open.table.phase = HUND_START;
    hund_table_set_state(&open, &state);
    struct game_view view = make_view_for(&state, 0);
    assert_phrase(face_prompt(&view), "You won lead: who leads this round?");
    assert_phrase(face_label(&view, HUND_START_FIRST + 2), "seat 2");
    assert_string_equal(face_describe_turn(&view), "to choose who leads");
    assert_refused(&view, "play:grey-1", "choose a player of this table first");
}

TEST_GROUP(hund_face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_shows_each_role_as_soon_as_it_is_given),
        cmocka_unit_test(the_board_lists_selected_cards_until_they_are_played),
        cmocka_unit_test(the_board_names_the_player_whose_card_gave_a_role),
        cmocka_unit_test(the_board_lists_the_cards_of_the_number_until_no_role_is_left),
        cmocka_unit_test(the_board_lists_the_numbers_of_later_rounds),
        cmocka_unit_test(a_game_with_selected_cards_says_at_which_totals_it_ends),
        cmocka_unit_test(a_players_badges_count_the_taken_cards_of_suits_with_a_role),
        cmocka_unit_test(a_refusal_says_why_the_move_is_illegal),
        cmocka_unit_test(a_card_with_the_suit_or_number_of_a_selected_card_cannot_be_selected),
        cmocka_unit_test(a_score_row_explains_the_parts_of_its_points),
        cmocka_unit_test(only_the_virtual_player_has_columns),
        cmocka_unit_test(a_finished_trick_says_that_trump_won_it),
        cmocka_unit_test(a_suit_led_says_that_it_is_trump_from_the_trick_in_which_it_became_trump),
        cmocka_unit_test(the_short_names_of_suits_are_spelled),
        cmocka_unit_test(moves_that_choose_the_first_player_are_labelled_with_the_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
