#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests shared replays of a finished game, on screens and in plain mode. */

#define RIGHT "\x1b[C"

static void play_game_to_its_end(struct stage *stage, const struct driver_setup *setup)
{
    stage_init(stage, setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
    while (stage_make_random_move(stage)) {
    }
    stage_push_result(stage);
}

static void answer_request_for_game_record(struct stage *stage, bool is_void)
{
    json_t *fields = json_pack("{s:o}", "record", stage_make_game_record(stage));
    if (is_void) {
        (void)json_object_set_new(json_object_get(fields, "record"), "is_void", json_true());
    }
    char *text = json_dumps(fields, JSON_COMPACT);
    assert_non_null(text);
    driver_answer(stage->driver, "record", text);
    free(text);
    json_decref(fields);
}

static void answer_request_for_valid_record(struct stage *stage)
{
    answer_request_for_game_record(stage, false);
}

static void push_state_of_shared_replay(struct stage *stage, const char *leader, int step,
                                        const char *seat)
{
    char message[200];
    bool is_led = strcmp(leader, "mira") == 0;
    snprintf(message, sizeof(message),
             "{\"t\":\"review\",\"game_id\":%d,\"leader\":\"%s\",\"is_led\":%s,\"step\":%d,"
             "\"seat\":%s,\"people\":[\"%s\",\"ella\"]}",
             STAGE_GAME_ID, leader, is_led ? "true" : "false", step, seat, leader);
    driver_push(stage->driver, message);
}

/* Types "/follow ada" and answers the request; ada is at step 8. */
static void follow_replay_leader(struct stage *stage)
{
    driver_type(stage->driver, "/follow ada\r");
    assert_string_equal(json_string_value(json_object_get(
                            driver_find_request(stage->driver, "review_follow"), "name")),
                        "ada");
    driver_answer(stage->driver, "review_follow", "{\"game_id\":812}");
    push_state_of_shared_replay(stage, "ada", 8, "null");
    answer_request_for_valid_record(stage);
}

static void expect_step_sent(struct stage *stage, int step)
{
    const json_t *sent = driver_find_request(stage->driver, "review_go");
    assert_non_null(sent);
    assert_int_equal(json_integer_value(json_object_get(sent, "step")), step);
}

static void a_replay_follower_sees_the_leaders_step_and_seat(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    follow_replay_leader(&stage);
    driver_expect(stage.driver, "step 8 of");
    driver_expect(stage.driver, "ada leads: all hands");
    push_state_of_shared_replay(&stage, "ada", 44, "1");
    driver_expect(stage.driver, "step 44 of");
    driver_expect(stage.driver, "ada leads: ada");
    push_state_of_shared_replay(&stage, "ada", 60000, "6"); /* a step beyond the game's end */
    driver_expect(stage.driver, "round 19 of 19");
    driver_print_screen(stage.driver, "following a review, 80x24");
    stage_clear(&stage);
}

static void a_replay_follower_who_presses_a_step_key_is_told_who_leads(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 120, .rows = 40};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    follow_replay_leader(&stage);
    driver_type(stage.driver, RIGHT);
    driver_expect(stage.driver, "step 8 of");
    driver_expect(stage.driver, "ada leads: x or /unfollow lets you go on alone.");
    driver_type(stage.driver, "x");
    assert_non_null(driver_find_request(stage.driver, "review_leave"));
    driver_type(stage.driver, RIGHT);
    driver_expect(stage.driver, "step 9 of");
    driver_expect(stage.driver, "replay: all hands");
    driver_print_screen(stage.driver, "a replay, 120x40");
    stage_clear(&stage);
}

static void every_step_of_a_void_game_says_that_it_is_void(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/replay 812\r");
    answer_request_for_game_record(&stage, true);
    driver_expect(stage.driver, "declared void, step 0 of");
    driver_type(stage.driver, RIGHT);
    driver_expect(stage.driver, "declared void, step 1 of");
    stage_clear(&stage);
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/replay 812\r");
    answer_request_for_valid_record(&stage);
    driver_expect(stage.driver, "step 0 of");
    driver_expect_not(stage.driver, "void");
    stage_clear(&stage);
}

static void in_plain_mode_too_a_void_game_is_marked_as_void(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24, .lines = {.is_on = true}};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/replay 812\n");
    answer_request_for_game_record(&stage, true);
    driver_expect_output(stage.driver, "declared void, step 0 of");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\n");
    driver_expect_output(stage.driver, "declared void, step 1 of");
    stage_clear(&stage);
}

static void the_replay_leader_sends_the_current_step_after_each_answer(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/review 812\r");
    driver_answer(stage.driver, "review_open", NULL);
    push_state_of_shared_replay(&stage, "mira", 0, "null");
    answer_request_for_valid_record(&stage);
    driver_expect(stage.driver, "you lead, 1 follows");
    driver_type(stage.driver, RIGHT);
    expect_step_sent(&stage, 1);
    driver_type(stage.driver, RIGHT RIGHT RIGHT);
    driver_answer(stage.driver, "review_go", NULL);
    push_state_of_shared_replay(&stage, "mira", 1, "null");
    expect_step_sent(&stage, 4);
    driver_answer(stage.driver, "review_go", NULL);
    push_state_of_shared_replay(&stage, "mira", 4, "null");
    assert_null(driver_find_request(stage.driver, "review_go"));
    driver_type(stage.driver, "q");
    assert_non_null(driver_find_request(stage.driver, "review_leave"));
    stage_clear(&stage);
}

static void a_new_replay_leader_starts_at_the_current_step(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    follow_replay_leader(&stage);
    push_state_of_shared_replay(&stage, "mira", 8, "null");
    driver_expect(stage.driver, "you lead");
    assert_null(driver_find_request(stage.driver, "review_go"));
    driver_type(stage.driver, RIGHT);
    expect_step_sent(&stage, 9);
    stage_clear(&stage);
}

static void a_replay_leader_who_starts_in_the_middle_of_a_game_sends_the_step(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/replay 812\r");
    answer_request_for_valid_record(&stage);
    driver_type(stage.driver, "g30\r");
    driver_expect(stage.driver, "step 30 of");
    driver_type(stage.driver, "L");
    driver_answer(stage.driver, "review_open", NULL);
    push_state_of_shared_replay(&stage, "mira", 0, "null");
    expect_step_sent(&stage, 30);
    driver_type(stage.driver, "e");
    driver_expect(stage.driver, "ssh HOST replay 812");
    stage_clear(&stage);
}

static void in_plain_mode_a_replay_follower_reads_what_happened_at_each_step(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24, .lines = {.is_on = true}};
    (void)state;
    play_game_to_its_end(&stage, &setup);
    driver_type(stage.driver, "/follow ada\n");
    driver_answer(stage.driver, "review_follow", "{\"game_id\":812}");
    push_state_of_shared_replay(&stage, "ada", 0, "null");
    answer_request_for_valid_record(&stage);
    driver_forget_output(stage.driver);
    push_state_of_shared_replay(&stage, "ada", 2, "null");
    driver_expect_output(stage.driver, "step 1 of");
    driver_expect_output(stage.driver, "step 2 of");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\n");
    driver_expect_output(stage.driver, "ada leads");
    driver_expect_no_output(stage.driver, "step 3 of");
    stage_clear(&stage);
}

TEST_GROUP(review)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_follower_sees_the_leaders_step_and_seat),
        cmocka_unit_test(a_replay_follower_who_presses_a_step_key_is_told_who_leads),
        cmocka_unit_test(every_step_of_a_void_game_says_that_it_is_void),
        cmocka_unit_test(in_plain_mode_too_a_void_game_is_marked_as_void),
        cmocka_unit_test(the_replay_leader_sends_the_current_step_after_each_answer),
        cmocka_unit_test(a_new_replay_leader_starts_at_the_current_step),
        cmocka_unit_test(a_replay_leader_who_starts_in_the_middle_of_a_game_sends_the_step),
        cmocka_unit_test(in_plain_mode_a_replay_follower_reads_what_happened_at_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
