#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that what a terminal sends beside keys (answers, pastes, keys without a meaning here)
 * decides nothing and loses nothing, however it is spread over packets. */

#define PASTE(text) "\033[200~" text "\033[201~"

/* What may come at any time, and what of it goes into the line being typed. */
static const struct {
    const char *bytes, *text;
} noise[] = {
    {"\0332", ""},
    {"\033\r", ""},
    {"\033\033[D", ""},
    {"\033[1;3D", ""},
    {"\033]11;rgb:1e1e/1e1e/2e2e\033\\", ""},
    {"\033]11;rgb:1e1e/1e1e/2e2e\a", ""},
    {"\033P>|kitty(0.30.1)\033\\", ""},
    {"\033_Gi=31;OK\033\\", ""},
    {"\033[?62;1;2c", ""},
    {"\033[12;34R", ""},
    {"\033[I\033[O", ""},
    {"\033[[A\033OP\033[7$", ""},
    {PASTE("\r"), ""},
    {PASTE("3 eggs\r1\r"), "3 eggs 1"},
};

static int set_up_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    assert_non_null(stage);
    stage_init(stage, &setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
    assert_true(stage_play_until_turn(stage, 0));
    *state = stage;
    return 0;
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)

/* Sends bytes in two packets that are divided at `at`, as far apart as packets may come. */
static void send_in_two_packets(struct driver *driver, const char *bytes, size_t at)
{
    driver_send(driver, bytes, at);
    driver_wait(driver, 40);
    driver_send(driver, NULL, 0); /* the session has woken, but nothing has come */
    driver_send(driver, bytes + at, strlen(bytes) - at);
    driver_wait(driver, 2000);
    driver_send(driver, NULL, 0);
}

static void assert_nothing_sent(const struct stage *stage, const char *bytes)
{
    if (driver_find_request(stage->driver, "move") != NULL ||
        driver_find_request(stage->driver, "say") != NULL) {
        fail_msg("\"%s\" was taken for keys", bytes + 1);
    }
}

static void what_is_no_key_decides_nothing_at_ones_turn(void **state)
{
    struct stage *stage = *state;
    for (size_t i = 0; i < ARRAY_LEN(noise); i++) {
        for (size_t at = 1; at < strlen(noise[i].bytes); at++) {
            send_in_two_packets(stage->driver, noise[i].bytes, at);
            assert_nothing_sent(stage, noise[i].bytes);
            driver_type(stage->driver, noise[i].text[0] != '\0' ? "\x15\033" : "");
        }
    }
    driver_type(stage->driver, "3\r");
    assert_non_null(driver_find_request(stage->driver, "move"));
}

static void what_is_no_key_leaves_the_line_being_typed(void **state)
{
    struct stage *stage = *state;
    for (size_t i = 0; i < ARRAY_LEN(noise); i++) {
        char line[80];
        (void)snprintf(line, sizeof(line), "> hello%s%s", noise[i].text[0] == '\0' ? "" : " there",
                       noise[i].text);
        for (size_t at = 1; at < strlen(noise[i].bytes); at++) {
            driver_type(stage->driver, noise[i].text[0] == '\0' ? "chello" : "chello there");
            send_in_two_packets(stage->driver, noise[i].bytes, at);
            driver_expect(stage->driver, line);
            assert_nothing_sent(stage, noise[i].bytes);
            driver_type(stage->driver, "\033");
        }
    }
}

static void an_arrow_and_a_click_in_two_packets_are_what_they_are(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "chelo");
    for (size_t at = 1; at < 3; at++) {
        send_in_two_packets(stage->driver, "\033[D", at);
        send_in_two_packets(stage->driver, "\033OD", at);
        send_in_two_packets(stage->driver, "\033[C", at);
    }
    driver_type(stage->driver, "\033[Cl");
    driver_expect(stage->driver, "> hello");
    driver_type(stage->driver, "\033");
    for (size_t at = 1; at < strlen("\033[<0;30;12M"); at++) {
        send_in_two_packets(stage->driver, "\033[<0;30;12M", at);
        assert_nothing_sent(stage, "\033[<0;30;12M");
        driver_expect_not(stage->driver, "say it");
    }
}

/* A busy machine may wake a session late, when the rest of a sequence has come as well. */
static void a_session_that_wakes_late_takes_no_arrow_for_esc(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "chelo");
    driver_send(stage->driver, "\033", 1);
    driver_wait(stage->driver, 400);
    driver_send(stage->driver, "[Dl", 3);
    driver_expect(stage->driver, "> hello");
}

static void alt_and_backspace_delete_a_word(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "chello dear players");
    driver_send(stage->driver, "\033\x7f", 2);
    driver_type(stage->driver, "x");
    driver_expect(stage->driver, "> hello dear x");
}

static void a_paste_begins_a_line_that_enter_alone_sends(void **state)
{
    struct stage *stage = *state;
    const char *paste = PASTE("my shopping list\r\n3 eggs\n\nq\r/leave\r\ny\r");
    driver_send(stage->driver, paste, strlen(paste));
    driver_expect(stage->driver, "> my shopping list 3 eggs q /leave y");
    assert_nothing_sent(stage, paste);
    assert_string_equal(driver_screen_name(stage->driver), "table");
    driver_type(stage->driver, "\r");
    assert_non_null(driver_find_request(stage->driver, "say"));
}

static void a_paste_answers_no_question_that_a_key_answers(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "\x03");
    driver_expect(stage->driver, "Leave the house?");
    driver_send(stage->driver, PASTE("y\r"), strlen(PASTE("y\r")));
    driver_expect(stage->driver, "Leave the house?");
    assert_false(driver_is_session_over(stage->driver));
}

static void plain_mode_takes_a_paste_as_one_line_and_drops_what_is_no_key(void **state)
{
    (void)state;
    struct stage stage;
    const struct driver_setup setup = {.lines = {.is_on = true, .is_echoed = true}};
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    assert_true(stage_play_until_turn(&stage, 0));
    for (size_t i = 0; i < ARRAY_LEN(noise); i++) {
        for (size_t at = 1; at < strlen(noise[i].bytes); at++) {
            driver_forget_output(stage.driver);
            send_in_two_packets(stage.driver, noise[i].bytes, at);
            assert_nothing_sent(&stage, noise[i].bytes);
            driver_type(stage.driver, " end");
            driver_expect_output(stage.driver, noise[i].text);
            driver_expect_no_output(stage.driver, "\033");
            driver_type(stage.driver, "\x15");
        }
    }
    driver_type(stage.driver, "3\r");
    assert_non_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

TEST_GROUP(terminal_bytes)
{
    const struct CMUnitTest tests[] = {
        at_table(what_is_no_key_decides_nothing_at_ones_turn),
        at_table(what_is_no_key_leaves_the_line_being_typed),
        at_table(an_arrow_and_a_click_in_two_packets_are_what_they_are),
        at_table(a_session_that_wakes_late_takes_no_arrow_for_esc),
        at_table(alt_and_backspace_delete_a_word),
        at_table(a_paste_begins_a_line_that_enter_alone_sends),
        at_table(a_paste_answers_no_question_that_a_key_answers),
        cmocka_unit_test(plain_mode_takes_a_paste_as_one_line_and_drops_what_is_no_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
