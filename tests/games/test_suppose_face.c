#include "games/game.h"
#include "games/suppose/suppose.h"
#include "tests/games/played.h"
#include "tests/unit.h"

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

static void the_headline_says_how_often_each_card_is_there(void **unused)
{
    (void)unused;
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.headline(&view, facts), 2);
    assert_phrase(facts[0], "all choose at once");
    assert_phrase(facts[1], "each card twice, 3 and 4 once");
    view.seats = 4;
    assert_int_equal(suppose_face.headline(&view, facts), 2);
    assert_phrase(facts[1], "each card twice");
}

static void the_prompt_asks_for_the_colour_order_then_the_prediction_then_a_card(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(face_prompt(&view), "Order the colours: seat 0 gets this hand as shown");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(face_prompt(&view), "Predict how many tricks seat 0 takes");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(face_prompt(&view), "");
    for (unsigned i = 0; i < 2; i++) {
        make_first_move(&state, 0);
        make_first_move(&state, 1);
    }
    uint8_t start = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
    view = make_view_for(&state, (int8_t)start);
    assert_phrase(face_prompt(&view), "Lead any card, seen or not");
}

static void a_prediction_is_labelled_by_its_numbers_and_an_order_by_its_colours(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(face_label(&view, find_move_by_text("predict:11")), "11");
    assert_phrase(face_label(&view, find_move_by_text("predict:3,4")), "3 or 4");
    assert_phrase(face_label(&view, find_move_by_text("arrange:red,blue,green")), "red blue green");
    assert_phrase(face_label(&view, 20), "");
}

static void a_refusal_says_which_step_comes_first(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(face_refusal(&view, find_move_by_text("predict:3")), "choose the order first");
    assert_phrase(face_refusal(&view, find_move_by_text("play:3")), "arrange and predict first");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(face_refusal(&view, find_move_by_text("predict:3")), "");
    assert_phrase(face_refusal(&view, find_move_by_text("arrange:red")),
                  "the order is chosen: now predict");
    make_first_move(&state, 2);
    view = make_view_for(&state, 2);
    assert_phrase(face_refusal(&view, find_move_by_text("predict:3")),
                  "you are ready; the others are not yet");
}

static void players_who_have_predicted_are_marked_ready_and_colour_orders_stay_hidden(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct phrase badges[FACE_BADGES_MAX];
    make_first_move(&state, 2);
    struct game_view view = make_view_for(&state, 0);
    uint8_t start = suppose_known(&view)->start;
    assert_int_equal(suppose_face.badges(&view, 2, badges), start == 2);
    make_first_move(&state, 2);
    view = make_view_for(&state, 0);
    uint8_t count = suppose_face.badges(&view, 2, badges);
    assert_int_equal(count, (start == 2) + 1);
    assert_phrase(badges[count - 1], "ready");
    assert_string_equal(face_describe_turn(&view), "to prepare");
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
    assert_phrase(face_label(&view, 3), "card 4");
}

/* Compares the order that a screen shows with the hand that the left neighbour then gets. */
static void an_order_shows_the_hand_as_the_left_neighbour_will_get_it(void **unused)
{
    (void)unused;
    struct face_order order, chosen;
    struct game_state state = make_dealt_view();
    const struct game_view dealt = make_view_for(&state, 2);
    uint8_t move = move_set_nth(&dealt.legal, 3);
    assert_true(suppose_face.order(&dealt, move, &order));
    assert_false(suppose_face.order(&dealt, MOVE_NONE, &chosen));
    assert_false(suppose_face.order(&dealt, find_move_by_text("predict:3"), &chosen));
    assert_int_equal(order.holder, 0);
    assert_int_equal(game_apply(&suppose_game, &state, 2, move, NULL), GAME_OK);
    struct game_view view = make_view_for(&state, 2);
    assert_true(suppose_face.order(&view, MOVE_NONE, &chosen));
    assert_memory_equal(&chosen, &order, sizeof(order));
    make_first_move(&state, 2);
    for (uint8_t seat = 0; seat < 2; seat++) {
        make_first_move(&state, seat);
        make_first_move(&state, seat);
    }
    view = make_view_for(&state, 2);
    assert_false(suppose_face.order(&view, MOVE_NONE, &chosen));
    const struct game_view holder = make_view_for(&state, 0);
    for (uint8_t place = 0; place < SUPPOSE_SLOTS; place++) {
        uint8_t card = dealt.hands[2][order.slots[place]].card;
        bool is_seen = (order.seen >> place & 1) != 0;
        assert_int_equal(view.hands[0][place].card, card);
        assert_int_equal(holder.hands[0][place].card, is_seen ? card : CARD_NONE);
    }
}

static void a_prediction_says_what_it_earns_before_it_is_confirmed(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(suppose_face.confirm(&view, MOVE_NONE, FACE_ENTER_ONCE),
                  "One number earns 5 if right; two, such as 3,4, earn 2");
    assert_phrase(suppose_face.confirm(&view, find_move_by_text("predict:3"), FACE_ENTER_ONCE),
                  "Enter predicts 3: 5 points if right");
    assert_phrase(suppose_face.confirm(&view, find_move_by_text("predict:3"), FACE_ENTER_TWICE),
                  "Enter twice predicts 3 (pays 5); two, as 3,4, pay 2");
    assert_phrase(suppose_face.confirm(&view, find_move_by_text("predict:3"), FACE_ENTER_AGAIN),
                  "Enter again predicts 3: 5 points if right");
    assert_phrase(suppose_face.confirm(&view, find_move_by_text("predict:3,4"), FACE_ENTER_ONCE),
                  "Enter predicts 3 or 4: 2 points if either is right");
    assert_phrase(suppose_face.confirm(&view, find_move_by_text("play:3"), FACE_ENTER_ONCE), "");
}

/* Makes the first legal moves of all seats until cards can be played. */
static struct game_state make_prepared_state(void)
{
    struct game_state state = make_dealt_view();
    for (uint8_t seat = 0; seat < 3; seat++) {
        make_first_move(&state, seat);
        make_first_move(&state, seat);
    }
    return state;
}

static void the_prediction_and_the_neighbours_tricks_stay_in_sight(void **unused)
{
    (void)unused;
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_state state = make_prepared_state();
    struct game_view view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.headline(&view, facts), 4);
    assert_phrase(facts[2], "trick 1 of 11");
    assert_phrase(facts[0], "you said 0");
    assert_phrase(facts[1], "seat 0 has 0");
    view.tricks[0] = 4;
    assert_int_equal(suppose_face.headline(&view, facts), 4);
    assert_phrase(facts[0], "you said 0: missed");
    assert_phrase(facts[1], "seat 0 has 4");
    view.phase = PHASE_OVER;
    assert_int_equal(suppose_face.headline(&view, facts), 4);
    assert_phrase(facts[0], "you said 0: missed");
    view.phase = SUPPOSE_PREPARE;
    assert_int_equal(suppose_face.headline(&view, facts), 3);
    assert_phrase(facts[0], "you predict 0 for seat 0");
}

static void a_prediction_is_missed_when_neither_number_can_be_reached(void **unused)
{
    (void)unused;
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_state state = make_dealt_view();
    make_first_move(&state, 2);
    assert_int_equal(game_apply(&suppose_game, &state, 2, find_move_by_text("predict:3,4"), NULL),
                     GAME_OK);
    for (uint8_t seat = 0; seat < 2; seat++) {
        make_first_move(&state, seat);
        make_first_move(&state, seat);
    }
    struct game_view view = make_view_for(&state, 2);
    view.tricks[0] = 4;
    (void)suppose_face.headline(&view, facts);
    assert_phrase(facts[0], "you said 3 or 4");
    view.tricks[0] = 5;
    (void)suppose_face.headline(&view, facts);
    assert_phrase(facts[0], "you said 3 or 4: missed");
    view.tricks[0] = 1;
    view.past_count = 9;
    (void)suppose_face.headline(&view, facts);
    assert_phrase(facts[0], "you said 3 or 4");
    view.past_count = 10;
    (void)suppose_face.headline(&view, facts);
    assert_phrase(facts[0], "you said 3 or 4: missed");
}

static void the_last_predictions_are_shown_while_hands_are_prepared(void **unused)
{
    (void)unused;
    struct face_fact facts[FACE_BOARD_MAX];
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_int_equal(suppose_face.board(&view, NULL, facts), 0);
    struct suppose_known *known = (void *)view.info;
    known->last_predictions[0] = 0;
    known->last_predictions[1] = find_move_by_text("predict:1,4") - SUPPOSE_PREDICT_FIRST;
    known->last_predictions[2] = 2;
    assert_int_equal(suppose_face.board(&view, NULL, facts), 3);
    assert_string_equal(facts[0].label, "last round predicted:");
    assert_phrase(facts[0].value, "seat 0 0 for seat 1");
    assert_phrase(facts[1].value, "seat 1 1 or 4 for seat 2");
    view.phase = SUPPOSE_PLAY;
    assert_int_equal(suppose_face.board(&view, NULL, facts), 0);
}

static void the_first_leader_is_marked_only_before_the_first_trick_is_taken(void **unused)
{
    (void)unused;
    struct phrase badges[FACE_BADGES_MAX];
    struct game_state state = make_prepared_state();
    struct game_view view = make_view_for(&state, 2);
    uint8_t start = suppose_known(&view)->start;
    assert_int_equal(suppose_face.badges(&view, start, badges), 1);
    assert_phrase(badges[0], "starts");
    view.past_count = 1;
    assert_int_equal(suppose_face.badges(&view, start, badges), 0);
}

static void the_prompt_says_that_an_equal_card_loses(void **unused)
{
    (void)unused;
    struct game_state state = make_prepared_state();
    uint8_t start = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
    struct game_view view = make_view_for(&state, (int8_t)start);
    view.trick.count = 2;
    view.trick.plays[0] = (struct view_play){.seat = 0, .card = card_of(&suppose_deck, 0, 4)};
    view.trick.plays[1] = (struct view_play){.seat = 1, .card = card_of(&suppose_deck, 1, 6)};
    assert_phrase(face_prompt(&view), "Play any card: red above 4 wins, equals lose");
    view.trick.count = 1;
    assert_phrase(face_prompt(&view), "Play any card: red 4 wins so far, equals lose");
    view.trick.count = 2;
    view.trick.plays[1].card = card_of(&suppose_deck, 0, 6);
    assert_phrase(face_prompt(&view), "Play any card: nothing beats the red 6");
}

static void the_prompt_promises_no_trick_to_a_player_who_sees_that_no_card_can_win(void **unused)
{
    (void)unused;
    struct game_state state = make_prepared_state();
    uint8_t start = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
    struct game_view view = make_view_for(&state, (int8_t)start);
    view.trick.count = 1;
    view.trick.plays[0] = (struct view_play){.seat = 0, .card = card_of(&suppose_deck, 0, 4)};
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        view.hands[start][slot] = (struct view_slot){.is_empty = true, .card = CARD_NONE};
    }
    view.hands[start][2] = (struct view_slot){.card = card_of(&suppose_deck, 1, 6)};
    view.hands[start][3] = (struct view_slot){.card = card_of(&suppose_deck, 0, 4)};
    assert_phrase(face_prompt(&view), "Play any card: none of yours beats the red 4");
    view.hands[start][4] = (struct view_slot){.card = card_of(&suppose_deck, 0, 5)};
    assert_phrase(face_prompt(&view), "Play any card: red 4 wins so far, equals lose");
    view.hands[start][4] = (struct view_slot){.card = CARD_NONE};
    assert_phrase(face_prompt(&view), "Play any card: red 4 wins so far, equals lose");
}

static void the_signs_of_hidden_cards_are_explained_while_cards_are_played(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    assert_phrase(suppose_face.card_signs(&view), "");
    state = make_prepared_state();
    view = make_view_for(&state, 2);
    assert_phrase(suppose_face.card_signs(&view),
                  "each colour rises rightward; all see their 1st, 6th, last; ?\u00a0unknown; "
                  "·\u00a0played");
    view = make_view_for(&state, SPECTATOR);
    assert_phrase(suppose_face.card_signs(&view), "");
}

static void a_score_row_explains_its_points(void **unused)
{
    (void)unused;
    struct score_row row = {.tricks = {4, 3}, .parts = {{4, 3}, {5, 2}, {3, 3}, {-1, 4}}};
    assert_phrase(suppose_face.explain(&row, 0), "4 for tricks, 5 for predicting 3");
    assert_phrase(suppose_face.explain(&row, 1), "3 for tricks, 2 for predicting 3 or 4");
    row.seats = 3;
    struct phrase why = suppose_face.explain(&row, 0);
    assert_phrase(why, "4 for tricks, 5 for predicting 3 for seat 1, who took 3");
    why.format = phrase_choose_format(&why, 1);
    assert_phrase(why, "4 for tricks, 5 for predicting 3 for you, who took 3");
    row.parts[SUPPOSE_PART_SECOND][0] = 4;
    why = suppose_face.explain(&row, 0);
    assert_phrase(why, "4 for tricks, 5 for predicting 3 or 4 for seat 1, who took 3");
    why.format = phrase_choose_format(&why, 1);
    assert_phrase(why, "4 for tricks, 5 for predicting 3 or 4 for you, who took 3");
}

static void a_finished_trick_says_why_its_winner_won(void **unused)
{
    (void)unused;
    struct game_state state = make_dealt_view();
    struct game_view view = make_view_for(&state, 2);
    uint8_t red4 = card_of(&suppose_deck, 0, 4);
    uint8_t red5 = card_of(&suppose_deck, 0, 5);
    struct view_trick trick = {
        .count = 3,
        .plays = {{.seat = 0, .card = red4}, {.seat = 1, .card = red5}, {.seat = 2, .card = 20}}};
    assert_phrase(suppose_face.why_won(&view, &trick), "highest red");
    trick.plays[2].card = red5;
    assert_phrase(suppose_face.why_won(&view, &trick), "highest red, played before its equal");
}

static void the_leaderboard_counts_right_predictions(void **unused)
{
    (void)unused;
    struct score_row row = {.parts = {{4, 3}, {5, 0}}};
    assert_true(suppose_game.stat.is_hit(&row, 0));
    assert_false(suppose_game.stat.is_hit(&row, 1));
}

TEST_GROUP(suppose_face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_headline_says_how_often_each_card_is_there),
        cmocka_unit_test(the_prompt_asks_for_the_colour_order_then_the_prediction_then_a_card),
        cmocka_unit_test(a_prediction_is_labelled_by_its_numbers_and_an_order_by_its_colours),
        cmocka_unit_test(a_refusal_says_which_step_comes_first),
        cmocka_unit_test(players_who_have_predicted_are_marked_ready_and_colour_orders_stay_hidden),
        cmocka_unit_test(pointing_at_a_slot_plays_it_even_if_its_card_is_unknown),
        cmocka_unit_test(an_order_shows_the_hand_as_the_left_neighbour_will_get_it),
        cmocka_unit_test(a_prediction_says_what_it_earns_before_it_is_confirmed),
        cmocka_unit_test(the_prediction_and_the_neighbours_tricks_stay_in_sight),
        cmocka_unit_test(a_prediction_is_missed_when_neither_number_can_be_reached),
        cmocka_unit_test(the_last_predictions_are_shown_while_hands_are_prepared),
        cmocka_unit_test(the_first_leader_is_marked_only_before_the_first_trick_is_taken),
        cmocka_unit_test(the_prompt_says_that_an_equal_card_loses),
        cmocka_unit_test(the_prompt_promises_no_trick_to_a_player_who_sees_that_no_card_can_win),
        cmocka_unit_test(the_signs_of_hidden_cards_are_explained_while_cards_are_played),
        cmocka_unit_test(a_score_row_explains_its_points),
        cmocka_unit_test(a_finished_trick_says_why_its_winner_won),
        cmocka_unit_test(the_leaderboard_counts_right_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
