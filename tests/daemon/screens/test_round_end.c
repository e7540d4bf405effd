#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of a round on the screen (daemon/screens/table/table_state.h): the test acts as the core,
 * which stops the game. */

#define STOP_FOR_YOU_AND_MORE "{\"halt\":\"round\",\"awaited\":[0,2],\"resume_in\":8000}"
#define STOP_FOR_YOU_ALONE "{\"halt\":\"round\",\"awaited\":[0]}"
#define STOP_FOR_OTHERS                                                                            \
    "{\"halt\":\"round\",\"awaited\":[2],\"resume_in\":5000,\"asks\":{\"resume\":[0]}}"
#define NO_STOP "{\"halt\":\"none\",\"awaited\":[],\"resume_in\":null}"
#define TRICK_MS 900

/* Plays the first round of the game, and has the core stop the game then. */
static void play_round(struct stage *stage, const char *table_fields)
{
    stage_deal(stage, 3);
    while (json_array_size(stage->sheet) == 0) {
        assert_true(stage_make_random_move(stage));
    }
    stage_push_table_and_view(stage, table_fields, NULL);
    driver_wait(stage->driver, TRICK_MS);
}

static void begin(struct stage *stage, uint8_t players, int8_t seat)
{
    struct driver_setup setup = {0};
    stage_init(stage, &setup, game_at(0), players, seat);
}

static bool has_sent_resume(const struct stage *stage)
{
    return driver_find_request(stage->driver, "resume") != NULL;
}

static void a_stop_shows_the_scores_and_the_last_trick_and_says_what_a_key_does(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_AND_MORE);
    driver_expect(stage.driver, "Round 1 ");
    driver_expect(stage.driver, "points");
    driver_expect(stage.driver, "total");
    driver_expect(stage.driver, ", took ");
    driver_expect(stage.driver, "Last trick: ");
    driver_expect(stage.driver, " took it: ");
    driver_expect(stage.driver, "Nobody made their bid");
    driver_expect(stage.driver, "Round 1 is over. Enter goes on; waiting for ");
    driver_expect(stage.driver, "at most 7 s");
    stage_clear(&stage);
}

static void any_key_goes_on_and_is_nothing_else(void **state)
{
    static const char *const keys[] = {"\r", " ", "1", "x", "\x1b[C", "\t", "3"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct stage stage = {0};
        begin(&stage, 4, 0);
        play_round(&stage, STOP_FOR_YOU_ALONE);
        driver_expect(stage.driver, "Round 1 is over. Enter goes on.");
        driver_type(stage.driver, keys[i]);
        const json_t *sent = driver_find_request(stage.driver, "resume");
        assert_non_null(sent);
        assert_true(json_is_true(json_object_get(sent, "stop")));
        assert_null(driver_find_request(stage.driver, "move"));
        assert_null(driver_find_request(stage.driver, "say"));
        driver_expect(stage.driver, "c to talk");
        stage_clear(&stage);
    }
}

static void keys_that_only_look_do_not_go_on(void **state)
{
    static const char *const keys[] = {"s", "?", "r", "t", "w", "c", "/"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct stage stage = {0};
        begin(&stage, 4, 0);
        play_round(&stage, STOP_FOR_YOU_ALONE);
        driver_type(stage.driver, keys[i]);
        assert_false(has_sent_resume(&stage));
        stage_clear(&stage);
    }
}

static void a_key_pressed_to_skip_the_trick_does_not_skip_the_scores(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    stage_deal(&stage, 3);
    while (json_array_size(stage.sheet) == 0) {
        assert_true(stage_make_random_move(&stage));
    }
    stage_push_table_and_view(&stage, STOP_FOR_YOU_ALONE, NULL);
    driver_expect_not(stage.driver, "points");
    driver_type(stage.driver, "1");
    assert_false(has_sent_resume(&stage));
    driver_expect(stage.driver, "points");
    driver_type(stage.driver, "1");
    assert_true(has_sent_resume(&stage));
    stage_clear(&stage);
}

static void whoever_has_gone_on_sees_the_new_hand_and_whom_the_table_waits_for(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_AND_MORE);
    driver_type(stage.driver, "\r");
    driver_expect_not(stage.driver, "points");
    driver_answer(stage.driver, "resume", NULL);
    stage_push_table_and_view(&stage, STOP_FOR_OTHERS, NULL);
    driver_expect(stage.driver, "Round 1 is over. Waiting for ");
    driver_expect(stage.driver, "at most 5 s");
    driver_expect(stage.driver, "┌");
    driver_wait(stage.driver, 2000);
    driver_expect(stage.driver, "at most 3 s");
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect_not(stage.driver, "is over");
    stage_clear(&stage);
}

static void the_seconds_of_a_stop_stand_while_the_house_is_away(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_AND_MORE);
    driver_push(stage.driver, "{\"t\":\"house_away\"}");
    for (int i = 0; i < 9; i++) {
        driver_expect(stage.driver, "at most 7 s");
        driver_wait(stage.driver, 1000);
    }
    stage_push_table_and_view(&stage, STOP_FOR_OTHERS, NULL);
    driver_expect(stage.driver, "at most 5 s");
    driver_wait(stage.driver, 2000);
    driver_expect(stage.driver, "at most 3 s");
    stage_clear(&stage);
}

static void a_refused_key_shows_the_end_of_the_round_again(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_ALONE);
    driver_type(stage.driver, "\r");
    driver_refuse(stage.driver, "resume", "too_fast", "Too many requests at once: wait.");
    driver_expect(stage.driver, "points");
    driver_type(stage.driver, "\r");
    assert_true(has_sent_resume(&stage));
    stage_clear(&stage);
}

static void a_spectator_sees_the_scores_without_having_to_press_a_key(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, SPECTATOR);
    play_round(&stage, STOP_FOR_YOU_AND_MORE);
    driver_expect(stage.driver, "points");
    driver_expect(stage.driver, "Round 1 is over. Waiting for ");
    driver_type(stage.driver, "\r");
    assert_false(has_sent_resume(&stage));
    driver_expect_not(stage.driver, "points");
    driver_expect(stage.driver, "Round 1 is over. Waiting for ");
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect_not(stage.driver, "is over");
    stage_clear(&stage);
}

/* Plays the whole game; the core says that it is over, as it does with the last move. */
static void play_game(struct stage *stage)
{
    struct game_view view;
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    stage_write_view(stage, &view);
    assert_int_equal(view.phase, PHASE_OVER);
}

static void a_stop_that_is_told_before_its_scores_names_no_round(void **state)
{
    (void)state;
    struct stage stage = {0};
    begin(&stage, 4, 0);
    stage.table_fields = "{\"halt\":\"round\",\"awaited\":[0],\"resume_in_ms\":9000}";
    stage_deal(&stage, 3);
    driver_expect_not(stage.driver, "Round 0");
    stage_clear(&stage);
}

static void after_the_last_round_its_end_is_shown_before_the_result(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct stage stage = {0};
        begin(&stage, 4, 0);
        stage.table_fields = "{\"state\":\"finished\"}";
        play_game(&stage);
        stage_push_result(&stage);
        driver_wait(stage.driver, TRICK_MS);
        driver_expect(stage.driver,
                      "The last round is over. Enter shows the result; by itself in ");
        driver_expect(stage.driver, "points");
        driver_expect_not(stage.driver, "your rating, by opponent");
        if (way == 0) {
            driver_type(stage.driver, "\r");
        } else {
            driver_wait(stage.driver, 10000);
        }
        assert_false(has_sent_resume(&stage));
        driver_expect(stage.driver, "your rating, by opponent");
        driver_expect_not(stage.driver, "points");
        stage_clear(&stage);
    }
}

static void no_explanation_is_cut_at_80_by_24_in_any_game_with_all_players(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage = {0};
        struct driver_setup setup = {0};
        stage_init(&stage, &setup, game_at(i), game_at(i)->seats_max, 0);
        play_round(&stage, STOP_FOR_YOU_ALONE);
        driver_expect(stage.driver, "points");
        driver_expect(stage.driver, "Last trick: ");
        driver_expect(stage.driver, "Enter goes on");
        driver_expect(stage.driver, " took it");
        driver_expect_not(stage.driver, "…");
        stage_clear(&stage);
    }
}

static void nothing_of_the_next_round_is_told_before_the_scores_have_been_read(void **state)
{
    (void)state;
    const struct driver_setup sizes[] = {{.columns = 80, .rows = 24}, {.columns = 120, .rows = 40}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct stage stage = {0};
        stage_init(&stage, &sizes[i], game_at(0), 4, 0);
        stage_deal(&stage, 3);
        while (json_array_size(stage.sheet) == 0) {
            assert_true(stage_make_random_move(&stage));
        }
        stage_push_table_and_view(&stage, STOP_FOR_YOU_ALONE, NULL);
        driver_expect_not(stage.driver, "ada deals 9 cards"); /* while the last trick is shown */
        driver_wait(stage.driver, TRICK_MS);
        driver_expect(stage.driver, "Enter goes on");
        driver_expect_not(stage.driver, "ada deals 9 cards");
        driver_type(stage.driver, "L");
        driver_expect(stage.driver, "Round 1 is over");
        driver_expect_not(stage.driver, "ada deals 9 cards");
        driver_type(stage.driver, "L\r");
        stage_push_table_and_view(&stage, NO_STOP, NULL);
        driver_expect(stage.driver, "ada deals 9 cards");
        stage_clear(&stage);
    }
}

static void the_last_trick_at_a_stop_is_nobodys_turn(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_ALONE);
    driver_type(stage.driver, "t");
    driver_expect(stage.driver, "The last trick of round 1 again; t goes back.");
    driver_expect_not(stage.driver, "It is your turn");
    stage_clear(&stage);
}

/* Under the new trump the reason for the old trick would read wrong. */
static void the_last_trick_of_a_round_is_not_shown_again_in_the_next_round(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    play_round(&stage, STOP_FOR_YOU_ALONE);
    driver_type(stage.driver, "\r");
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect(stage.driver, "ada deals 9 cards");
    driver_expect_not(stage.driver, "t last trick");
    driver_type(stage.driver, "t");
    driver_expect(stage.driver, "No trick has been taken in this round yet.");
    stage_clear(&stage);
}

static void a_small_screen_scrolls_the_end_of_a_round(void **state)
{
    struct stage stage = {0};
    struct driver_setup setup = {.rows = 18, .columns = 60};
    (void)state;
    stage_init(&stage, &setup, game_at(0), game_at(0)->seats_max, 0);
    stage.has_long_names = true;
    play_round(&stage, STOP_FOR_YOU_ALONE);
    driver_expect_not(stage.driver, "took it: ");
    driver_type(stage.driver, "\x1b[6~\x1b[6~\x1b[6~");
    driver_expect(stage.driver, "took it: ");
    assert_false(has_sent_resume(&stage));
    stage_clear(&stage);
}

static void a_persons_own_pace_sets_how_long_a_trick_stays(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    driver_type(stage.driver, "/pace me slow\r");
    const json_t *kept =
        json_object_get(driver_find_request(stage.driver, "settings_set"), "settings");
    assert_string_equal(json_string_value(json_object_get(kept, "pace")), "slow");
    driver_expect(stage.driver, "a finished trick stays 2.5 s");
    play_round(&stage, STOP_FOR_YOU_ALONE);
    driver_expect_not(stage.driver, "points");
    driver_wait(stage.driver, TRICK_MS);
    driver_expect(stage.driver, "points");
    stage_clear(&stage);
}

static void the_host_sets_the_pace_of_the_table_by_a_command(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin(&stage, 4, 0);
    stage_deal(&stage, 3);
    driver_type(stage.driver, "/pace glacial\r");
    driver_expect(stage.driver, "Say quick, normal or slow");
    driver_type(stage.driver, "/pace quick\r");
    const json_t *sent = driver_find_request(stage.driver, "table_pace");
    assert_string_equal(json_string_value(json_object_get(sent, "pace")), "quick");
    stage_clear(&stage);
}

#define PLAIN_SETUP                                                                                \
    {                                                                                              \
        .lines = {.is_on = true, .is_piped = true }                                                \
    }

static void begin_in_plain_mode(struct stage *stage, int8_t seat)
{
    struct driver_setup setup = PLAIN_SETUP;
    stage_init(stage, &setup, game_at(0), 4, seat);
    stage_deal(stage, 3);
    /* the message `table` comes first, as the core sends it */
    while (json_array_size(stage->sheet) == 0) {
        struct game_state before = stage->state;
        uint8_t turn = game_seats_to_act(&before);
        struct game_view view;
        uint8_t mover = (uint8_t)__builtin_ctz(turn);
        game_fill_view(stage->game, &before, (int8_t)mover, &view);
        uint8_t move = policy_random_move(&view, &stage->config, &stage->random);
        assert_int_equal(game_apply(stage->game, &before, mover, move, NULL), GAME_OK);
        game_fill_view(stage->game, &before, (int8_t)mover, &view);
        if (view.round > 1) {
            stage->table_fields = STOP_FOR_YOU_AND_MORE;
            stage_push_table(stage, "playing");
            driver_forget_output(stage->driver);
        }
        stage_make_move(stage, mover, move);
    }
}

static void plain_lines_print_the_seconds_that_stand_while_the_house_is_away(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin_in_plain_mode(&stage, 0);
    driver_push(stage.driver, "{\"t\":\"house_away\"}");
    driver_wait(stage.driver, 5000);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/look\n");
    driver_expect_output(stage.driver, "It begins by itself in 7 seconds.");
    stage_clear(&stage);
}

static void plain_lines_hold_the_next_round_back_until_enter(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin_in_plain_mode(&stage, 0);
    driver_expect_output(stage.driver, "Round 1 is over.");
    driver_expect_output(stage.driver, "Press Enter to go on.");
    driver_expect_output(stage.driver, "It begins by itself in 7 seconds.");
    driver_expect_no_output(stage.driver, "round 2");
    driver_type(stage.driver, "1\n");
    driver_expect_output(stage.driver, "press Enter to go on, then type your move.");
    assert_null(driver_find_request(stage.driver, "move"));
    assert_null(driver_find_request(stage.driver, "say"));
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\n");
    assert_true(has_sent_resume(&stage));
    driver_answer(stage.driver, "resume", NULL);
    stage.table_fields = STOP_FOR_OTHERS;
    stage_push_table(&stage, "playing");
    driver_expect_output(stage.driver, "ound 2");
    driver_expect_output(stage.driver, "The next round waits for ");
    driver_expect_no_output(stage.driver, "Press Enter");
    driver_expect_no_output(stage.driver, "Round 1 is over.");
    driver_forget_output(stage.driver);
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect_no_output(stage.driver, "Round 1");
    stage_clear(&stage);
}

static void looking_at_a_stop_prints_its_scores_and_keeps_the_next_round_for_later(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin_in_plain_mode(&stage, 0);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/look\n");
    driver_expect_output(stage.driver, "Round 1 is over.");
    driver_expect_output(stage.driver, "Press Enter to go on.");
    driver_expect_no_output(stage.driver, "ound 2");
    driver_expect_no_output(stage.driver, "Your cards: ");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\n");
    driver_answer(stage.driver, "resume", NULL);
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect_output(stage.driver, "Round 2 of ");
    driver_expect_output(stage.driver, " each and turn");
    stage_clear(&stage);
}

static void a_claim_after_a_stop_is_told_once_in_plain_lines(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin_in_plain_mode(&stage, 0);
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_forget_output(stage.driver);
    stage_push_table_and_view(
        &stage, "{\"claim\":{\"seat\":2,\"tricks\":2,\"asked\":[0],\"cards\":\"AS KS\"}}", NULL);
    driver_expect_output(stage.driver, "claims all remaining tricks, in this order: AS KS.");
    driver_expect_no_output(stage.driver, "claims all remaining tricks: ");
    stage_clear(&stage);
}

static void plain_lines_hold_the_next_round_back_from_spectators_too(void **state)
{
    struct stage stage = {0};
    (void)state;
    begin_in_plain_mode(&stage, SPECTATOR);
    driver_expect_output(stage.driver, "Round 1 is over.");
    driver_expect_output(stage.driver, "The next round waits for ");
    driver_expect_no_output(stage.driver, "Press Enter");
    driver_expect_no_output(stage.driver, "round 2");
    stage_push_table_and_view(&stage, NO_STOP, NULL);
    driver_expect_output(stage.driver, "ound 2");
    stage_clear(&stage);
}

TEST_GROUP(round_end)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_shows_the_scores_and_the_last_trick_and_says_what_a_key_does),
        cmocka_unit_test(any_key_goes_on_and_is_nothing_else),
        cmocka_unit_test(keys_that_only_look_do_not_go_on),
        cmocka_unit_test(a_key_pressed_to_skip_the_trick_does_not_skip_the_scores),
        cmocka_unit_test(whoever_has_gone_on_sees_the_new_hand_and_whom_the_table_waits_for),
        cmocka_unit_test(the_seconds_of_a_stop_stand_while_the_house_is_away),
        cmocka_unit_test(a_refused_key_shows_the_end_of_the_round_again),
        cmocka_unit_test(a_spectator_sees_the_scores_without_having_to_press_a_key),
        cmocka_unit_test(a_stop_that_is_told_before_its_scores_names_no_round),
        cmocka_unit_test(after_the_last_round_its_end_is_shown_before_the_result),
        cmocka_unit_test(no_explanation_is_cut_at_80_by_24_in_any_game_with_all_players),
        cmocka_unit_test(nothing_of_the_next_round_is_told_before_the_scores_have_been_read),
        cmocka_unit_test(the_last_trick_at_a_stop_is_nobodys_turn),
        cmocka_unit_test(the_last_trick_of_a_round_is_not_shown_again_in_the_next_round),
        cmocka_unit_test(a_small_screen_scrolls_the_end_of_a_round),
        cmocka_unit_test(a_persons_own_pace_sets_how_long_a_trick_stays),
        cmocka_unit_test(the_host_sets_the_pace_of_the_table_by_a_command),
        cmocka_unit_test(plain_lines_print_the_seconds_that_stand_while_the_house_is_away),
        cmocka_unit_test(plain_lines_hold_the_next_round_back_until_enter),
        cmocka_unit_test(looking_at_a_stop_prints_its_scores_and_keeps_the_next_round_for_later),
        cmocka_unit_test(a_claim_after_a_stop_is_told_once_in_plain_lines),
        cmocka_unit_test(plain_lines_hold_the_next_round_back_from_spectators_too),
    };
    return cmocka_run_group_tests_name("round_end", tests, NULL, NULL);
}
