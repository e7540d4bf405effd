#include "games/registry.h"
#include "games/suppose/suppose.h"
#include "tests/games/played.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_phrase(struct phrase phrase, const char *expected)
{
    played_expect_phrase(&suppose_deck, phrase, expected);
}

static uint8_t find_move_by_text(const char *text)
{
    return game_move_parse(&suppose_game, text);
}

/* Returns a view of seat 2 in a game of three that has just been dealt. */
static struct game_state make_dealt_view(void)
{
    return played_start_game(&suppose_game, 3, NULL, NULL);
}

/* Makes the first legal move of the seat. */
static void make_first_move(struct game_state *state, uint8_t seat)
{
    struct move_set legal;
    game_find_legal_moves(&suppose_game, state, seat, &legal);
    assert_int_equal(game_apply(&suppose_game, state, seat, move_set_next(&legal, 0), NULL),
                     GAME_OK);
}

static struct game_view make_view_for(const struct game_state *state, int8_t seat)
{
    struct game_view view;
    game_fill_view(&suppose_game, state, seat, &view);
    return view;
}

static void a_game_in_the_first_format_says_that_values_fall(void **unused)
{
    (void)unused;
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.headline(&view, facts), 0);
    view.format = 1;
    assert_int_equal(suppose_face.headline(&view, facts), 1);
    assert_phrase(facts[0], "begun under the old rules: values fall");
}

static void the_prompt_asks_for_the_colour_order_then_the_prediction_then_a_card(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(suppose_face.prompt(&view),
                  "This hand goes to seat 0: choose the order of its colours");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(suppose_face.prompt(&view),
                  "How many tricks will seat 0 take? One number: 5 points; two: 2");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(suppose_face.prompt(&view), "");
    for (unsigned i = 0; i < 2; i++) {
        make_first_move(&state, 0);
        make_first_move(&state, 1);
    }
    uint8_t start = (uint8_t)__builtin_ctz(game_seats_to_act(&suppose_game, &state));
    view = make_view_for(&state, (int8_t)start);
    assert_phrase(suppose_face.prompt(&view), "Lead any slot");
}

static void a_prediction_is_labelled_by_its_numbers_and_an_order_by_its_colours(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(suppose_face.label(&view, find_move_by_text("predict:11")), "11");
    assert_phrase(suppose_face.label(&view, find_move_by_text("predict:3,4")), "3 or 4");
    assert_phrase(suppose_face.label(&view, find_move_by_text("arrange:red,blue,green")),
                  "red blue green");
    assert_phrase(suppose_face.label(&view, 20), "");
}

static void a_refusal_says_which_step_comes_first(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(suppose_face.refusal(&view, find_move_by_text("predict:3")),
                  "choose the order first");
    assert_phrase(suppose_face.refusal(&view, find_move_by_text("play:3")),
                  "arrange and predict first");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(suppose_face.refusal(&view, find_move_by_text("predict:3")), "");
    assert_phrase(suppose_face.refusal(&view, find_move_by_text("arrange:red")),
                  "the order is chosen: now predict");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(suppose_face.refusal(&view, find_move_by_text("predict:3")),
                  "you are ready; the others are not yet");
}

static void players_who_have_predicted_are_marked_ready_and_colour_orders_stay_hidden(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct phrase badges[FACE_BADGES_MAX];
    make_first_move(&state, 2);
    struct game_view view = make_view_for(&state, 0);
    uint8_t start = (uint8_t)fields_find_number(&view.info, "start", 0);
    assert_int_equal(suppose_face.badges(&view, 2, badges), start == 2);
    make_first_move(&state, 2);
    view = make_view_for(&state, 0);
    uint8_t count = suppose_face.badges(&view, 2, badges);
    assert_int_equal(count, (start == 2) + 1);
    assert_phrase(badges[count - 1], "ready");
    assert_string_equal(suppose_face.turn(&view, 1), "to prepare");
}

static void pointing_at_a_slot_plays_it_even_if_its_card_is_unknown(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.point(&view, 3), MOVE_NONE);
    for (uint8_t seat = 0; seat < 3; seat++) {
        make_first_move(&state, seat);
        make_first_move(&state, seat);
    }
    view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.point(&view, 3), find_move_by_text("play:3"));
    assert_int_equal(suppose_face.point(&view, 11), MOVE_NONE);
    assert_phrase(suppose_face.label(&view, 3), "slot 4");
}

static void a_score_row_explains_its_points(void **unused)
{
    (void)unused;
    struct score_row row = {.tricks = {4, 3}, .parts = {{4, 3}, {5, 2}, {3, 3}, {-1, 4}}};
    assert_phrase(suppose_face.explain(&row, 0), "4 tricks, predicted 3: +5");
    assert_phrase(suppose_face.explain(&row, 1), "3 tricks, predicted 3 or 4: +2");
}

static void a_finished_trick_says_why_its_winner_won(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    uint8_t red4 = card_of(&suppose_deck, 0, 4);
    uint8_t red5 = card_of(&suppose_deck, 0, 5);
    struct view_trick trick = {.count = 3, .plays = {{0, red4}, {1, red5}, {2, 20}}};
    assert_phrase(suppose_face.why_won(&view, &trick), "highest red");
    trick.plays[2].card = red5;
    assert_phrase(suppose_face.why_won(&view, &trick), "highest red, played before its equal");
}

static void the_leaderboard_counts_right_predictions(void **unused)
{
    (void)unused;
    struct score_row row = {.parts = {{4, 3}, {5, 0}}};
    uint32_t hits = 0;
    uint32_t chances = 0;
    suppose_game.stat.count(&row, 0, &hits, &chances);
    suppose_game.stat.count(&row, 1, &hits, &chances);
    assert_int_equal(hits, 1);
    assert_int_equal(chances, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_in_the_first_format_says_that_values_fall),
        cmocka_unit_test(the_prompt_asks_for_the_colour_order_then_the_prediction_then_a_card),
        cmocka_unit_test(a_prediction_is_labelled_by_its_numbers_and_an_order_by_its_colours),
        cmocka_unit_test(a_refusal_says_which_step_comes_first),
        cmocka_unit_test(players_who_have_predicted_are_marked_ready_and_colour_orders_stay_hidden),
        cmocka_unit_test(pointing_at_a_slot_plays_it_even_if_its_card_is_unknown),
        cmocka_unit_test(a_score_row_explains_its_points),
        cmocka_unit_test(a_finished_trick_says_why_its_winner_won),
        cmocka_unit_test(the_leaderboard_counts_right_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
