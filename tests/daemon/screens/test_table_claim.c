#include "stage.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Tests how a claim of all remaining tricks is made, shown and answered. */

#define CLAIM_BY_SEAT_2 "{\"claim\":{\"seat\":2,\"tricks\":2,\"asked\":[0],\"cards\":\"AS KS\"}}"
#define CLAIM_ANSWERED "{\"claim\":{\"seat\":2,\"tricks\":2,\"asked\":[],\"cards\":\"AS KS\"}}"
#define OWN_CLAIM "{\"claim\":{\"seat\":0,\"tricks\":2,\"asked\":[2],\"cards\":\"AS KS\"}}"

static void set_up_stage(struct stage *stage, bool is_plain)
{
    struct driver_setup setup = {.columns = 100, .rows = 30, .lines = {.is_on = is_plain}};
    stage_init(stage, &setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
}

static int set_up_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    assert_non_null(stage);
    set_up_stage(stage, false);
    *state = stage;
    return 0;
}

static int set_up_plain_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    assert_non_null(stage);
    set_up_stage(stage, true);
    *state = stage;
    return 0;
}

static void play_until_own_turn(struct stage *stage)
{
    struct game_view view;
    for (stage_write_view(stage, &view); !view_viewer_may_move(&view);
         stage_write_view(stage, &view)) {
        assert_true(stage_make_random_move(stage));
    }
}

static void play_until_turn_of_another(struct stage *stage)
{
    struct game_view view;
    for (stage_write_view(stage, &view); view_viewer_may_move(&view);
         stage_write_view(stage, &view)) {
        assert_true(stage_make_random_move(stage));
    }
}

static bool sent_answer_accepts(struct stage *stage)
{
    const json_t *sent = driver_find_request(stage->driver, "claim_answer");
    assert_non_null(sent);
    return json_is_true(json_object_get(sent, "accept"));
}

static void the_command_claims_at_the_step_that_is_shown(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    play_until_own_turn(stage);
    stage_write_view(stage, &view);
    driver_type(stage->driver, "/claim\r");
    const json_t *sent = driver_find_request(stage->driver, "claim");
    assert_non_null(sent);
    assert_int_equal(json_integer_value(json_object_get(sent, "step")), view.step);
}

static void the_m_key_says_why_nothing_can_be_claimed(void **state)
{
    struct stage *stage = *state;
    play_until_own_turn(stage);
    driver_type(stage->driver, "m");
    assert_null(driver_find_request(stage->driver, "claim"));
    driver_expect(stage->driver, "No tricks can be claimed before everybody has bid.");
}

static void tricks_that_are_certain_are_claimed_only_after_a_question(void **state)
{
    struct stage *stage = *state;
    for (uint32_t seed = 1; !driver_shows(stage->driver, "claim the rest"); seed++) {
        assert_true(seed < 200);
        stage_deal(stage, seed);
        while (!driver_shows(stage->driver, "claim the rest") && stage_make_random_move(stage)) {
            driver_wait(stage->driver, 3000);
        }
    }
    driver_type(stage->driver, "m");
    driver_expect(stage->driver, "remaining tricks for certain. Claim them?");
    driver_type(stage->driver, "n");
    assert_null(driver_find_request(stage->driver, "claim"));
    driver_type(stage->driver, "my");
    assert_non_null(driver_find_request(stage->driver, "claim"));
}

static void without_a_turn_nothing_is_claimed(void **state)
{
    struct stage *stage = *state;
    play_until_turn_of_another(stage);
    driver_type(stage->driver, "m");
    assert_null(driver_find_request(stage->driver, "claim"));
    driver_expect(stage->driver, "claim when you are to play a card");
}

static void whoever_is_asked_sees_the_cards_and_answers_with_a_key(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_expect(stage->driver, "claims all remaining tricks (2). Accept?");
    driver_expect(stage->driver, "claims all remaining tricks: A♠ K♠.");
    driver_type(stage->driver, "y");
    assert_true(sent_answer_accepts(stage));
}

static void the_n_key_plays_on(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_type(stage->driver, "n");
    assert_false(sent_answer_accepts(stage));
}

static void a_claim_does_not_interrupt_whoever_is_typing(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "cyes, nice");
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_expect(stage->driver, "yes, nice");
    driver_expect_not(stage->driver, "Accept?");
    driver_type(stage->driver, "\r");
    assert_null(driver_find_request(stage->driver, "claim_answer"));
    driver_type(stage->driver, "/claim n\r");
    assert_false(sent_answer_accepts(stage));
}

static void the_question_closes_when_the_claim_is_withdrawn_or_answered(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_expect(stage->driver, "Accept?");
    stage_push_table_and_view(stage, CLAIM_ANSWERED, NULL);
    driver_expect_not(stage->driver, "Accept?");
    stage_push_table_and_view(stage, "{}", NULL);
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_expect(stage->driver, "Accept?");
    stage_push_table_and_view(stage, "{}", NULL);
    driver_expect_not(stage->driver, "Accept?");
    assert_null(driver_find_request(stage->driver, "claim_answer"));
}

static void the_claimant_sees_who_is_asked(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, OWN_CLAIM, NULL);
    driver_expect(stage->driver, "You claim all remaining tricks (2): waiting for");
    driver_expect_not(stage->driver, "Accept?");
}

static void plain_lines_show_the_claim_and_take_the_answer(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, CLAIM_BY_SEAT_2, NULL);
    driver_expect(stage->driver, "in this order: AS KS");
    driver_expect(stage->driver, "(y: accept, n: play on");
    driver_type(stage->driver, "y\r");
    assert_true(sent_answer_accepts(stage));
}

static void nothing_is_asked_while_an_accepted_claim_is_played_out(void **state)
{
    struct stage *stage = *state;
    play_until_turn_of_another(stage);
    stage_push_table_and_view(stage, CLAIM_ANSWERED, NULL);
    driver_expect_not(stage->driver, "Accept?");
    int bells = driver_count_bells(stage->driver);
    driver_forget_output(stage->driver);
    stage->table_fields = CLAIM_ANSWERED;
    play_until_own_turn(stage);
    driver_expect_no_output(stage->driver, "Your turn");
    driver_expect_no_output(stage->driver, "Waiting for");
    assert_int_equal(driver_count_bells(stage->driver), bells);
}

static void an_answer_without_a_claim_is_not_sent(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/claim y\r");
    driver_expect(stage->driver, "Nobody asks you about a claim now.");
    driver_type(stage->driver, "/claim three\r");
    driver_expect(stage->driver, "/claim alone claims all remaining tricks");
    assert_null(driver_find_request(stage->driver, "claim_answer"));
    assert_null(driver_find_request(stage->driver, "claim"));
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)
#define at_plain_table(test)                                                                       \
    cmocka_unit_test_setup_teardown(test, set_up_plain_table, stage_teardown)

TEST_GROUP(table_claim)
{
    const struct CMUnitTest tests[] = {
        at_table(the_command_claims_at_the_step_that_is_shown),
        at_table(the_m_key_says_why_nothing_can_be_claimed),
        at_table(tricks_that_are_certain_are_claimed_only_after_a_question),
        at_table(without_a_turn_nothing_is_claimed),
        at_table(whoever_is_asked_sees_the_cards_and_answers_with_a_key),
        at_table(the_n_key_plays_on),
        at_table(a_claim_does_not_interrupt_whoever_is_typing),
        at_table(the_question_closes_when_the_claim_is_withdrawn_or_answered),
        at_table(the_claimant_sees_who_is_asked),
        at_plain_table(nothing_is_asked_while_an_accepted_claim_is_played_out),
        at_table(nothing_is_asked_while_an_accepted_claim_is_played_out),
        at_plain_table(plain_lines_show_the_claim_and_take_the_answer),
        at_table(an_answer_without_a_claim_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
