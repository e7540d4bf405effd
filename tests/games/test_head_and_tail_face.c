#include "games/game.h"
#include "games/head_and_tail/head_and_tail.h"
#include "tests/games/played.h"
#include "tests/unit.h"

static uint8_t find_card(const char *name)
{
    return card_parse(&head_and_tail_deck, name);
}

/* Returns the view of seat 1 of three: the dealer, who has to play after a heart was led and
 * holds two hearts, a spade and a betting card. Seat 0 has won the only finished trick. */
static struct game_view make_view_of_player_who_must_follow(void)
{
    static const char *const hand[] = {"9S", "2H", "3H", "AH"};
    struct game_view view;
    view_clear(&view);
    view.game = &head_and_tail_game;
    view.seats = 3;
    view.seat = 1;
    view.to_act = 2;
    for (uint8_t seat = 0; seat < 3; seat++) {
        view.slot_count[seat] = 5;
        view.hands[seat][4].is_empty = true;
        for (uint8_t i = 0; seat == 1 && i < 4; i++) {
            view.hands[seat][i].card = find_card(hand[i]);
        }
    }
    view.past_count = 1;
    view.past[0] = (struct view_trick){.count = 3,
                                       .winner = 0,
                                       .plays = {{.seat = 0, .card = find_card("KC")},
                                                 {.seat = 1, .card = find_card("4C")},
                                                 {.seat = 2, .card = find_card("AD")}}};
    view.trick.count = 1;
    view.trick.plays[0] = (struct view_play){.seat = 0, .card = find_card("QH")};
    move_set_add(&view.legal, find_card("2H"));
    move_set_add(&view.legal, find_card("3H"));
    move_set_add(&view.legal, find_card("AH"));
    view.info[0] = 1; /* the dealer */
    return view;
}

static void assert_phrase(struct phrase phrase, const char *expected)
{
    played_expect_phrase(&head_and_tail_deck, phrase, expected);
}

static void the_headline_shows_the_number_of_tricks_played(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    struct phrase lines[FACE_HEADLINE_MAX];
    assert_int_equal(head_and_tail_face.headline(&view, lines), 1);
    assert_phrase(lines[0], "trick 2 of 5");
    view.past_count = 5;
    assert_int_equal(head_and_tail_face.headline(&view, lines), 1);
    assert_phrase(lines[0], "trick 5 of 5");
}

static void a_players_badges_show_head_tail_sums_and_the_betting_card(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    struct phrase badges[FACE_BADGES_MAX];
    assert_int_equal(head_and_tail_face.badges(&view, 0, badges), 4);
    assert_phrase(badges[0], "head now");
    assert_phrase(badges[1], "high 13");
    assert_phrase(badges[2], "low 1");
    assert_phrase(badges[3], "holds BET");
    assert_int_equal(head_and_tail_face.badges(&view, 1, badges), 3);
    assert_phrase(badges[0], "tail now");
    assert_phrase(badges[1], "holds BET");
    assert_phrase(badges[2], "dealer");
    view.past_count = 0;
    assert_int_equal(head_and_tail_face.badges(&view, 1, badges), 2);
    assert_int_equal(head_and_tail_face.badges(&view, 0, badges), 1);
}

static void a_played_betting_card_is_shown_in_the_trick_and_then_with_its_taker(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t bet = (uint8_t)(HEAD_AND_TAIL_BETS + 2);
    view.past[0].plays[2].card = find_card("5C");
    view.trick.plays[view.trick.count++] = (struct view_play){.seat = 2, .card = bet};
    assert_int_equal(head_and_tail_face.badges(&view, 2, badges), 2);
    assert_phrase(badges[1], "BET in this trick");
    view.past[0].plays[2].card = bet;
    view.trick.count = 0;
    assert_int_equal(head_and_tail_face.badges(&view, 2, badges), 2);
    assert_string_equal(badges[1].format, "BET to {0}");
    assert_int_equal(badges[1].args[0].number, 0);
    view.phase = PHASE_OVER; /* the last trick of the game is still looked at, but nobody is head or
                                tail "now" */
    assert_int_equal(head_and_tail_face.badges(&view, 2, badges), 1);
    assert_string_equal(badges[0].format, "BET to {0}");
}

static void the_terms_say_at_which_totals_the_game_ends(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&head_and_tail_game, 4);
    struct game_view view = make_view_of_player_who_must_follow();
    struct face_fact facts[FACE_BOARD_MAX];
    assert_int_equal(head_and_tail_face.board(&view, NULL, facts), 0);
    assert_int_equal(head_and_tail_face.board(&view, &config, facts), 2);
    assert_phrase(facts[1].value, "12 or -12");
}

static void the_prompt_says_what_may_be_played(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_phrase(face_prompt(&view), "Follow hearts or play your BET");
    view.trick.plays[0].card = find_card("QC");
    assert_phrase(face_prompt(&view), "No clubs, play any card: QC wins so far");
    view.trick.plays[0].card = find_card("AS");
    assert_phrase(face_prompt(&view), "seat 0's BET wins: play any card");
    view.trick.count = 0;
    assert_phrase(face_prompt(&view), "Lead any card; your BET would win the trick");
    view.hands[1][3].is_empty = true;
    view.hands[1][3].card = CARD_NONE;
    assert_phrase(face_prompt(&view), "Lead any card");
    view.trick.count = 1;
    assert_phrase(face_prompt(&view), "seat 0's BET wins: play any card");
    view.trick.plays[0].card = find_card("QH");
    assert_phrase(face_prompt(&view), "Follow hearts: QH wins so far");
    view.to_act = 1;
    assert_phrase(face_prompt(&view), "");
}

static void a_refusal_says_why_the_card_may_not_be_played(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_phrase(face_refusal(&view, find_card("AH")), "");
    assert_phrase(face_refusal(&view, find_card("9S")),
                  "must follow hearts (you have 2 of them) or play your BET");
    assert_phrase(face_refusal(&view, find_card("KH")), "you do not hold KH");
    view.hands[1][3].card = find_card("4S");
    assert_phrase(face_refusal(&view, find_card("9S")), "must follow hearts: you have 2 of them");
    view.to_act = 1;
    view.legal = move_set_empty();
    assert_phrase(face_refusal(&view, find_card("AH")), "it is not your turn");
}

static void a_score_row_explains_its_points(void **unused)
{
    (void)unused;
    struct score_row row = {.part_count = HEAD_AND_TAIL_PARTS,
                            .tricks = {6, 1, 5},
                            .parts = {{-3, 0, 0}, {0, -3, 0}, {0, 1, 0}, {2, 0, 0}}};
    assert_phrase(head_and_tail_face.explain(&row, 0),
                  "head with 6 tricks: -3, BET with the tail: +2");
    assert_phrase(head_and_tail_face.explain(&row, 1),
                  "tail with 1 trick: -3, BET with the head: +1");
    assert_phrase(head_and_tail_face.explain(&row, 2),
                  "neither head nor tail with 5 tricks: 0, BET with neither: 0");
    row.tricks[2] = 6;
    assert_phrase(head_and_tail_face.explain(&row, 0),
                  "head with 6 tricks and the largest high sum: -3, BET with the tail: +2");
    row.tricks[2] = 1;
    assert_phrase(head_and_tail_face.explain(&row, 1),
                  "tail with 1 trick and the smallest low sum: -3, BET with the head: +1");
}

static void a_score_row_explains_a_round_in_which_all_are_head_and_tail(void **unused)
{
    (void)unused;
    struct score_row row = {.part_count = HEAD_AND_TAIL_PARTS,
                            .tricks = {4, 4, 4},
                            .parts = {{-3, -3, -3}, {-3, -3, -3}, {1, 1, 1}, {2, 2, 2}}};
    assert_phrase(head_and_tail_face.explain(&row, 0),
                  "head and tail with 4 tricks: -6, BET with a head that is tail too: +3");
}

static void a_finished_trick_says_why_its_winner_won(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_phrase(head_and_tail_face.why_won(&view, &view.past[0]), "highest clubs");
    view.past[0].plays[0].card = find_card("AS");
    assert_phrase(head_and_tail_face.why_won(&view, &view.past[0]), "a BET was led");
}

static void a_move_is_labelled_by_its_card_and_made_by_pointing_at_the_card(void **unused)
{
    (void)unused;
    struct game_view view = make_view_of_player_who_must_follow();
    assert_phrase(face_label(&view, find_card("TD")), "TD");
    assert_int_equal(head_and_tail_face.point(&view, 3), find_card("AH"));
}

static void the_leaderboard_counts_rounds_in_which_a_player_was_neither_head_nor_tail(void **unused)
{
    (void)unused;
    struct score_row row = {.parts = {{-3, 0, 0}, {0, -3, 0}}};
    for (uint8_t seat = 0; seat < 3; seat++) {
        assert_int_equal(head_and_tail_game.stat.is_hit(&row, seat), seat == 2);
    }
}

TEST_GROUP(head_and_tail_face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_headline_shows_the_number_of_tricks_played),
        cmocka_unit_test(a_players_badges_show_head_tail_sums_and_the_betting_card),
        cmocka_unit_test(a_played_betting_card_is_shown_in_the_trick_and_then_with_its_taker),
        cmocka_unit_test(the_terms_say_at_which_totals_the_game_ends),
        cmocka_unit_test(the_prompt_says_what_may_be_played),
        cmocka_unit_test(a_refusal_says_why_the_card_may_not_be_played),
        cmocka_unit_test(a_score_row_explains_its_points),
        cmocka_unit_test(a_score_row_explains_a_round_in_which_all_are_head_and_tail),
        cmocka_unit_test(a_finished_trick_says_why_its_winner_won),
        cmocka_unit_test(a_move_is_labelled_by_its_card_and_made_by_pointing_at_the_card),
        cmocka_unit_test(the_leaderboard_counts_rounds_in_which_a_player_was_neither_head_nor_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
