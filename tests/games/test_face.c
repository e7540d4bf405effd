#include "games/face.h"
#include "tests/unit.h"

static const struct special_def jokers[] = {{.id = "X1", .title = "X1"}};

static struct deck_def deck;
static struct game_def game;

/* Returns the view of seat 0 of two seats, who has to follow clubs and holds two clubs, a heart
 * and a joker. */
static struct game_view make_view_of_player_who_must_follow(void)
{
    static const char *const hand[] = {"2C", "9C", "AH", "X1"};
    deck = standard_deck;
    deck.specials = jokers;
    deck.special_count = ARRAY_LEN(jokers);
    game = (struct game_def){.id = "test", .deck = &deck};
    struct game_view view;
    view_clear(&view);
    view.game = &game;
    view.seats = 2;
    view.seat = 0;
    view.to_act = 1;
    view.slot_count[0] = 5;
    view.hands[0][4].is_empty = true;
    for (uint8_t i = 0; i < ARRAY_LEN(hand); i++) {
        view.hands[0][i].card = card_parse(&deck, hand[i]);
    }
    view.trick.count = 1;
    view.trick.plays[0] = (struct view_play){.seat = 1, .card = card_parse(&deck, "KC")};
    return view;
}

static uint8_t find_card(const char *name)
{
    return card_parse(&deck, name);
}

static void the_suit_to_follow_is_the_suit_of_the_first_card_in_the_trick(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_int_equal(face_suit_led(&view), card_suit(&deck, find_card("KC")));
    assert_int_equal(face_count_suit_cards(&view, face_suit_led(&view)), 2);
    view.trick.plays[0].card = find_card("X1");
    assert_int_equal(face_suit_led(&view), SUIT_NONE);
    view.trick.count = 0;
    assert_int_equal(face_suit_led(&view), SUIT_NONE);
}

static void pointing_at_a_slot_plays_the_card_in_it(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_true(face_viewer_holds(&view, find_card("AH")));
    assert_false(face_viewer_holds(&view, find_card("KC")));
    assert_int_equal(face_card_in_slot(&view, 3), find_card("X1"));
    assert_int_equal(face_card_in_slot(&view, 4), MOVE_NONE);
    assert_int_equal(face_card_in_slot(&view, 5), MOVE_NONE);
    view.seat = SPECTATOR;
    assert_int_equal(face_card_in_slot(&view, 0), MOVE_NONE);
    assert_int_equal(face_count_suit_cards(&view, 3), 0);
    assert_false(face_viewer_holds(&view, find_card("AH")));
}

static void a_refusal_names_the_suit_led_and_how_many_cards_of_it_the_player_holds(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    struct phrase phrase = face_explain_illegal_card(&view, find_card("AH"));
    assert_string_equal(phrase.format, "must follow {0}: you have {1} of them");
    assert_int_equal(phrase.args[1].number, 2);
    phrase = face_explain_illegal_card(&view, find_card("KC"));
    assert_string_equal(phrase.format, "you do not hold {0}");
}

static void a_player_out_of_turn_is_told_why_they_may_not_move(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    uint8_t card = find_card("AH");
    move_set_add(&view.legal, card);
    assert_null(face_refusal(&view, card).format);
    view.legal = move_set_empty();
    view.to_act = 2;
    assert_string_equal(face_refusal(&view, card).format, "it is not your turn");
    view.phase = PHASE_OVER;
    assert_string_equal(face_refusal(&view, card).format, "the game is over");
}

static void the_prompt_says_whether_the_player_must_follow_suit(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_string_equal(face_prompt_to_follow_suit(&view, SUIT_NONE).format,
                        "Follow {0}: {1} wins so far");
    view.trick.plays[0].card = find_card("KS");
    assert_string_equal(face_prompt_to_follow_suit(&view, SUIT_NONE).format,
                        "No {0}, play any card: {1} wins so far");
    view.trick.plays[0].card = find_card("X1");
    assert_string_equal(face_prompt_to_follow_suit(&view, SUIT_NONE).format, "Play any card");
    view.trick.count = 0;
    assert_string_equal(face_prompt_to_follow_suit(&view, SUIT_NONE).format, "Lead any card");
}

static void a_trick_won_by_trump_says_so_even_if_trump_was_led(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    struct view_trick trick = {
        .count = 2,
        .winner = 1,
        .plays = {{.seat = 0, .card = find_card("2S")}, {.seat = 1, .card = find_card("9S")}}};
    /* the deck's first suit is spades, number 0 */
    assert_string_equal(face_explain_trick_winner(&view, &trick, 0).format, "highest trump");
    assert_string_equal(face_explain_trick_winner(&view, &trick, 1).format, "highest {0}");
    assert_string_equal(face_explain_trick_winner(&view, &trick, SUIT_NONE).format, "highest {0}");
    trick.plays[0].card = find_card("AH");
    assert_string_equal(face_explain_trick_winner(&view, &trick, SUIT_NONE).format,
                        "highest trump");
}

static void the_last_trick_of_the_round_before_is_not_of_the_views_round(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    const struct view_trick trick = {
        .count = 2,
        .winner = 1,
        .plays = {{.seat = 0, .card = find_card("2S")}, {.seat = 1, .card = find_card("9S")}}};
    struct view_trick other = trick;
    other.plays[0].card = find_card("AH");
    assert_true(face_trick_is_of_round(&view, &trick));
    view.has_last_trick = true;
    view.last_trick = trick;
    assert_false(face_trick_is_of_round(&view, &view.last_trick));
    assert_true(face_trick_is_of_round(&view, &other));
    view.past_count = 1;
    assert_true(face_trick_is_of_round(&view, &view.last_trick));
    view.past_count = 0;
    view.phase = PHASE_OVER;
    assert_true(face_trick_is_of_round(&view, &view.last_trick));
}

static void expect_winning_card(const char *const *trick, uint8_t count, const char *winning)
{
    struct game_view view = make_view_of_player_who_must_follow();
    view.trick.count = count;
    for (uint8_t i = 0; i < count; i++) {
        view.trick.plays[i] = (struct view_play){.seat = i, .card = find_card(trick[i])};
    }
    /* the deck's first suit is spades, number 0 */
    assert_int_equal(face_find_winning_card(&view, 0), find_card(winning));
}

static void the_card_that_wins_so_far_is_the_highest_trump_or_of_the_suit_led(void **unused)
{
    (void)unused;
    expect_winning_card((const char *const[]){"9H", "KD"}, 2, "9H");
    expect_winning_card((const char *const[]){"9H", "QH", "TH"}, 3, "QH");
    expect_winning_card((const char *const[]){"9H", "2S", "KH", "3S"}, 4, "3S");
    expect_winning_card((const char *const[]){"9H", "AD"}, 2, "9H");
    struct game_view view = make_view_of_player_who_must_follow();
    view.trick.plays[view.trick.count++] = (struct view_play){.seat = 2, .card = find_card("AD")};
    assert_int_equal(face_find_winning_card(&view, SUIT_NONE), view.trick.plays[0].card);
}

TEST_GROUP(face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suit_to_follow_is_the_suit_of_the_first_card_in_the_trick),
        cmocka_unit_test(pointing_at_a_slot_plays_the_card_in_it),
        cmocka_unit_test(a_refusal_names_the_suit_led_and_how_many_cards_of_it_the_player_holds),
        cmocka_unit_test(a_player_out_of_turn_is_told_why_they_may_not_move),
        cmocka_unit_test(the_prompt_says_whether_the_player_must_follow_suit),
        cmocka_unit_test(a_trick_won_by_trump_says_so_even_if_trump_was_led),
        cmocka_unit_test(the_last_trick_of_the_round_before_is_not_of_the_views_round),
        cmocka_unit_test(the_card_that_wins_so_far_is_the_highest_trump_or_of_the_suit_led),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
