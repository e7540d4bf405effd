#include "stage.h"

#include "daemon/screens/table/table.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BID 0
#define PLAY 1

static const struct game_def *get_first_game(void)
{
    return game_at(0);
}

/* Seats four players at a table, on a screen of 80x24. own_seat may be SPECTATOR. */
static void seat_four_players(struct stage *stage, int8_t own_seat)
{
    struct driver_setup setup = {.columns = 80, .rows = 24};
    stage_clear(stage);
    stage_init(stage, &setup, get_first_game(), 4, own_seat);
}

static int set_up_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    assert_non_null(stage);
    seat_four_players(stage, 0);
    *state = stage;
    return 0;
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)

/* Carries out the move that was sent, as the core would. */
static void carry_out_sent_move(struct stage *stage)
{
    uint8_t move = game_move_parse(stage->game, stage_find_sent_move(stage));
    driver_answer(stage->driver, "move", NULL);
    stage_make_move(stage, (uint8_t)stage->you, move);
}

static void assert_no_move_sent(const struct stage *stage)
{
    assert_null(driver_find_request(stage->driver, "move"));
}

static void every_bid_can_be_typed(void **state)
{
    struct stage *stage = *state;
    for (int bid = 0; bid <= 10; bid++) {
        char keys[8];
        char wanted[MOVE_TEXT_MAX];
        seat_four_players(stage, 0);
        stage_deal(stage, 3);
        assert_true(stage_play_until_turn(stage, BID));
        /* 1 could still become 10, so it needs Enter. */
        snprintf(keys, sizeof(keys), bid == 1 ? "%d\r" : "%d", bid);
        snprintf(wanted, sizeof(wanted), "bid:%d", bid);
        driver_type(stage->driver, keys);
        assert_non_null(stage_find_sent_move(stage));
        assert_string_equal(stage_find_sent_move(stage), wanted);
    }
}

static void a_second_key_press_sends_no_second_move(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    assert_true(stage_play_until_turn(stage, PLAY));
    struct game_view view;
    stage_write_view(stage, &view);
    for (int place = 0; place < 2 * view.slot_count[0]; place++) { /* press every key twice */
        char keys[] = {hand_keyboard_key_of_place(place % view.slot_count[0]), '\r', '\0'};
        driver_type(stage->driver, keys);
    }
    assert_non_null(stage_find_sent_move(stage));
    driver_answer(stage->driver, "move", NULL);
    assert_no_move_sent(stage);
}

static void a_bid_can_be_made_with_arrows_and_enter(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    assert_true(stage_play_until_turn(stage, BID));
    driver_type(stage->driver, "\x1b[C\x1b[C\x1b[C\r");
    assert_string_equal(stage_find_sent_move(stage), "bid:2");
}

/* Deals until the viewer is the dealer and may not make one of the bids; returns that bid. */
static uint8_t deal_until_a_bid_is_forbidden(struct stage *stage)
{
    struct game_view view;
    for (uint32_t number = 1; number < 100; number++) {
        stage_deal(stage, number);
        assert_true(stage_play_until_turn(stage, BID));
        stage_write_view(stage, &view);
        uint8_t size = view.slot_count[0];
        for (uint8_t bid = 0; bid < size && move_set_count(&view.legal) <= size; bid++) {
            char text[MOVE_TEXT_MAX];
            snprintf(text, sizeof(text), "bid:%d", bid);
            if (!move_set_has(&view.legal, game_move_parse(get_first_game(), text))) {
                return bid;
            }
        }
    }
    fail();
    return 0;
}

static void a_forbidden_bid_is_refused_with_the_reason(void **state)
{
    struct stage *stage = *state;
    char keys[8];
    uint8_t bid = deal_until_a_bid_is_forbidden(stage);
    snprintf(keys, sizeof(keys), bid == 1 ? "%d\r" : "%d", bid);
    driver_type(stage->driver, keys);
    assert_no_move_sent(stage);
    driver_expect(stage->driver, "the bids may not add up to");
}

/* Types the number above the nth legal card (from 0), and checks that the session sends this
 * card. */
static void play_nth_legal_card_by_number(struct stage *stage, uint8_t nth)
{
    struct game_view view;
    stage_write_view(stage, &view);
    bool keeps_slots = false;
    uint8_t slots[SLOTS_MAX];
    uint8_t count = hand_order_slots(&view, (uint8_t)stage->you, &keeps_slots, slots);
    uint8_t seen = 0;
    for (uint8_t place = 0; place < count; place++) {
        uint8_t move = get_first_game()->face->point(&view, slots[place]);
        if (!move_set_has(&view.legal, move) || seen++ != nth) {
            continue;
        }
        char key[2] = {hand_keyboard_key_of_place(place), '\0'};
        char wanted[MOVE_TEXT_MAX];
        struct text text = text_init(wanted, sizeof(wanted));
        game_move_write(get_first_game(), move, &text);
        driver_type(stage->driver, key);
        assert_non_null(stage_find_sent_move(stage));
        assert_string_equal(stage_find_sent_move(stage), wanted);
        return;
    }
    fail();
}

static void every_legal_card_is_played_by_its_number(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    stage_deal(stage, 5);
    for (int i = 0; i < 40 && stage_play_until_turn(stage, PLAY); i++) {
        stage_write_view(stage, &view);
        driver_wait(stage->driver, 1200); /* the last trick of a round is shown for so long */
        driver_wait(stage->driver, 300);
        play_nth_legal_card_by_number(stage, (uint8_t)(i % move_set_count(&view.legal)));
        carry_out_sent_move(stage);
    }
}

static void an_illegal_card_is_not_sent_and_the_reason_shown(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    stage_deal(stage, 3);
    for (;;) {
        assert_true(stage_play_until_turn(stage, PLAY));
        stage_write_view(stage, &view);
        bool keeps_slots = false;
        uint8_t slots[SLOTS_MAX];
        uint8_t count = hand_order_slots(&view, 0, &keeps_slots, slots);
        for (uint8_t place = 0; place < count; place++) {
            if (!move_set_has(&view.legal, get_first_game()->face->point(&view, slots[place]))) {
                char key[2] = {hand_keyboard_key_of_place(place), '\0'};
                driver_wait(stage->driver, 2000);
                driver_type(stage->driver, key);
                assert_no_move_sent(stage);
                driver_expect(stage->driver, "must follow");
                return;
            }
        }
        stage_make_random_move(stage);
    }
}

static void a_card_out_of_turn_is_answered_with_whose_turn_it_is(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    driver_type(stage->driver, "1");
    assert_no_move_sent(stage);
    driver_expect(stage->driver, "Not your turn yet: waiting for ada.");
}

static void after_a_refusal_another_move_can_be_made(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    assert_true(stage_play_until_turn(stage, BID));
    driver_type(stage->driver, "2");
    driver_type(stage->driver, "2"); /* the move was sent already and is not sent again */
    driver_refuse(stage->driver, "move", "stale", "The table has moved on: look again.");
    driver_expect(stage->driver, "The table has moved on");
    assert_no_move_sent(stage);
    driver_type(stage->driver, "3");
    assert_string_equal(stage_find_sent_move(stage), "bid:3");
}

/* Makes moves until this many tricks are complete and the next one has not begun. */
static void play_until_tricks_are_complete(struct stage *stage, uint8_t trick_count)
{
    struct game_view view;
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (view.past_count != trick_count || view.trick.count != 0);
}

static void a_complete_trick_stays_visible_for_a_moment(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    play_until_tricks_are_complete(stage, 1);
    driver_expect(stage->driver, "take");
    driver_expect(stage->driver, "highest");
    driver_expect(stage->driver, "took it");
    driver_wait(stage->driver, 700);
    driver_expect(stage->driver, "took it");
    driver_wait(stage->driver, 400);
    driver_expect_not(stage->driver, "took it");
    driver_expect(stage->driver, "the trick: highest");
}

static void any_key_hides_the_last_trick_and_the_t_key_shows_it_again(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    play_until_tricks_are_complete(stage, 2);
    driver_expect(stage->driver, "you take it");
    driver_type(stage->driver, " ");
    driver_expect_not(stage->driver, "you take it");
    driver_expect(stage->driver,
                  "c to talk"); /* the space bar hid the trick but did not begin a chat line */
    driver_type(stage->driver, "t");
    driver_expect(stage->driver, "you take it");
    driver_expect(stage->driver, "The last trick again; t goes back.");
    driver_expect(stage->driver, "t go back");
    driver_expect_not(stage->driver, "Lead any card");
    driver_type(stage->driver, "t");
    driver_expect_not(stage->driver, "you take it");
    driver_type(stage->driver, "t1"); /* the keys that decide only close it too */
    driver_expect_not(stage->driver, "you take it");
    assert_null(driver_find_request(stage->driver, "move"));
    driver_type(stage->driver, "tq"); /* q closes the trick and does not leave the table */
    driver_expect_not(stage->driver, "you take it");
    driver_expect_not(stage->driver, "Leave? ");
    driver_expect(stage->driver, "Lead any card");
    driver_expect(stage->driver, "L story"); /* the keys fit into the last line */
}

static void the_result_shows_ranks_ratings_and_the_verified_deal(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    driver_type(stage->driver, "\r"); /* the end of the last round has been read */
    driver_expect(stage->driver, "#7 Oh Hell: the game is over");
    driver_expect_not(stage->driver, "trump");
    driver_expect(stage->driver, "+12 ► 1512? ±290");
    driver_expect(stage->driver, "your rating, by opponent: bob +3.1");
    driver_expect(stage->driver, "deal ✓ the seed is the one fixed before the first card");
    driver_type(stage->driver, "n");
    assert_non_null(driver_find_request(stage->driver, "rematch"));
}

static void the_result_names_a_player_who_has_left_the_seat_since(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    stage->table_fields = "{\"seats\":[{\"name\":\"mira\",\"kind\":\"player\"},null,null,null]}";
    stage_push_table(stage, "finished");
    driver_type(stage->driver, "\r");
    driver_expect(stage->driver, "ada");
    driver_expect(stage->driver, "bob");
    driver_expect_not(stage->driver, "seat 2");
    driver_expect_not(stage->driver, "seat 3");
}

static void the_result_names_a_player_whose_seat_was_empty_before_it_was_read(void **state)
{
    struct stage *stage = *state;
    char result[300];
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage->table_fields = "{\"seats\":[{\"name\":\"mira\",\"kind\":\"player\"},null,null,null]}";
    stage_push_table(stage, "finished");
    snprintf(result, sizeof result,
             "{\"t\":\"result\",\"table\":%d,\"game_id\":%d,\"scores\":[30,20,10],"
             "\"ranks\":[1,2,3],\"winners\":[0],\"names\":[\"mira\",\"ada\",\"bob\"],"
             "\"ratings\":[null,null,null],\"left\":[]}",
             STAGE_TABLE, STAGE_GAME_ID);
    driver_push(stage->driver, result);
    driver_type(stage->driver, "\r");
    driver_expect(stage->driver, "ada");
    driver_expect(stage->driver, "bob");
    driver_expect_not(stage->driver, "seat 2");
    driver_expect_not(stage->driver, "seat 3");
}

static void a_deal_that_does_not_match_its_commitment_is_reported(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    stage->seed[0] ^= 1; /* the result reveals a different seed */
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    driver_expect(stage->driver, "the seed is NOT the one fixed");
}

static void leaving_a_game_for_good_shows_the_cost_first(void **state)
{
    struct stage *stage = *state;
    stage_deal(stage, 3);
    driver_type(stage->driver, "X");
    driver_expect(stage->driver, "You rank below all who finish");
    assert_null(driver_find_request(stage->driver, "seat_leave"));
    driver_type(stage->driver, "y");
    const json_t *sent = driver_find_request(stage->driver, "seat_leave");
    assert_true(json_is_true(json_object_get(sent, "for_good")));
}

static void a_spectator_sees_the_table_and_cannot_play(void **state)
{
    struct stage *stage = *state;
    seat_four_players(stage, SPECTATOR);
    stage_deal(stage, 3);
    for (int i = 0; i < 8; i++) {
        stage_make_random_move(stage);
    }
    driver_expect(stage->driver, "mira");
    driver_type(stage->driver, "1");
    driver_expect(stage->driver, "You are watching");
    assert_no_move_sent(stage);
}

static void the_host_fills_seats_and_starts_the_game_with_keys(void **state)
{
    struct stage *stage = *state;
    driver_expect(stage->driver, "Waiting for 1 more player.");
    driver_type(stage->driver, "b"); /* the cursor is on a taken seat: the bot takes any free one */
    assert_non_null(driver_find_request(stage->driver, "bot_add"));
    assert_null(json_object_get(driver_find_request(stage->driver, "bot_add"), "seat"));
    driver_refuse(stage->driver, "bot_add", "full", "The house is full of bots.");
    /* the cursor is on the free seat, which the bot takes */
    driver_type(stage->driver, "\x1b[B\x1b[B\x1b[Bb");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(stage->driver, "bot_add"), "seat")),
        3);
    driver_type(stage->driver, "B");
    assert_non_null(driver_find_request(stage->driver, "bot_remove"));
    driver_type(stage->driver, "s");
    assert_non_null(driver_find_request(stage->driver, "table_start"));
    driver_type(stage->driver, "lsesame\r");
    assert_string_equal(json_string_value(json_object_get(
                            driver_find_request(stage->driver, "table_lock"), "password")),
                        "sesame");
}

TEST_GROUP(table)
{
    const struct CMUnitTest tests[] = {
        at_table(every_bid_can_be_typed),
        at_table(a_second_key_press_sends_no_second_move),
        at_table(a_bid_can_be_made_with_arrows_and_enter),
        at_table(a_forbidden_bid_is_refused_with_the_reason),
        at_table(every_legal_card_is_played_by_its_number),
        at_table(an_illegal_card_is_not_sent_and_the_reason_shown),
        at_table(a_card_out_of_turn_is_answered_with_whose_turn_it_is),
        at_table(after_a_refusal_another_move_can_be_made),
        at_table(a_complete_trick_stays_visible_for_a_moment),
        at_table(any_key_hides_the_last_trick_and_the_t_key_shows_it_again),
        at_table(the_result_shows_ranks_ratings_and_the_verified_deal),
        at_table(the_result_names_a_player_who_has_left_the_seat_since),
        at_table(the_result_names_a_player_whose_seat_was_empty_before_it_was_read),
        at_table(a_deal_that_does_not_match_its_commitment_is_reported),
        at_table(leaving_a_game_for_good_shows_the_cost_first),
        at_table(a_spectator_sees_the_table_and_cannot_play),
        at_table(the_host_fills_seats_and_starts_the_game_with_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
