#include "driver.h"
#include "games/macros.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* What a session shows while the house is away (PROTOCOL.md, "When the house is away"). A push of
 * the driver takes 200 ms before it and 300 ms after it. */

static const char house_away[] = "{\"t\":\"house_away\"}";
static const char house_back[] = "{\"t\":\"house_back\"}";
static const char welcome[] = "{\"t\":\"welcome\",\"house\":\"Trickhouse\",\"phase\":\"in\"}";
static const char away_words[] = "One moment… The house is coming back, and nothing is lost.";

static void the_screen_says_without_a_key_that_the_house_is_away_until_it_is_back(void **state)
{
    const char *const ends[] = {welcome, house_back};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        struct driver_setup setup = {0};
        struct driver *driver = driver_new(&setup);
        driver_push(driver, house_away);
        driver_wait(driver, 300);
        driver_push(driver, house_away); /* told twice, away since the first time */
        driver_expect_not(driver, "One moment");
        driver_wait(driver, 0);
        driver_expect(driver, away_words);
        driver_wait(driver, 60000);
        driver_expect(driver, away_words);
        driver_push(driver, ends[i]);
        driver_wait(driver, 200);
        driver_expect_not(driver, "One moment");
        driver_free(driver);
    }
}

static void a_house_that_is_back_soon_is_not_called_away(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    for (int i = 0; i < 3; i++) {
        driver_push(driver, house_away);
        driver_wait(driver, 400);
        driver_expect_not(driver, "One moment");
        driver_push(driver, welcome);
        driver_wait(driver, 1500);
        driver_expect_not(driver, "One moment");
    }
    driver_free(driver);
}

/* The request is repeated by the client when the house is back (test_client.c). */
static void what_is_typed_while_the_house_is_away_is_kept(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, house_away);
    driver_wait(driver, 1100);
    driver_type(driver, "chello\r");
    assert_non_null(driver_find_request(driver, "say"));
    driver_type(driver, "cand more");
    driver_expect(driver, away_words);
    driver_push(driver, welcome);
    driver_answer(driver, "say", NULL);
    driver_wait(driver, 200);
    driver_expect(driver, "and more");
    driver_free(driver);
}

/* Seats the viewer, whose turn it is to bid. */
static void deal_at_new_table(struct stage *stage)
{
    static const struct driver_setup setup = {.columns = 80, .rows = 24};
    stage_init(stage, &setup, game_find("oh-hell"), 4, 0);
    stage_deal(stage, 1);
    assert_true(stage_play_until_turn(stage, 0));
    driver_wait(stage->driver, 1300);
}

/* Shows the own clock with this time left, which is also beside the seat. */
static void push_own_clock(struct stage *stage, int left_s)
{
    char fields[160];
    snprintf(
        fields, sizeof fields,
        "{\"clock\":{\"left_ms\":%d000,\"of_ms\":30000},\"times\":[{\"left_ms\":%d000},{},{},{}]}",
        left_s, left_s);
    stage_push_table_and_view(stage, NULL, fields);
    driver_wait(stage->driver, 200);
}

static void count_shown_clocks(struct stage *stage, const char *words, size_t expected)
{
    size_t count = 0;
    const char *at = driver_read_screen(stage->driver);
    while ((at = strstr(at, words)) != NULL) {
        at += strlen(words);
        count++;
    }
    if (count != expected) {
        driver_print_screen(stage->driver, words);
    }
    assert_int_equal(count, expected);
}

static void clocks_stand_while_the_house_is_away_until_it_sends_a_view(void **state)
{
    struct stage local, *stage = &local;
    (void)state;
    deal_at_new_table(stage);
    push_own_clock(stage, 12);
    driver_wait(stage->driver, 1000);
    count_shown_clocks(stage, "0:11", 2);
    int bells = driver_count_bells(stage->driver);
    driver_push(stage->driver, house_away);
    for (int i = 0; i < 9; i++) {
        driver_wait(stage->driver, 1000);
        count_shown_clocks(stage, "0:11", 2);
    }
    assert_int_equal(driver_count_bells(stage->driver), bells); /* the time does not run out */
    driver_push(stage->driver, welcome);
    driver_wait(stage->driver, 1000);
    count_shown_clocks(stage, "0:11", 2);
    push_own_clock(stage, 10);
    count_shown_clocks(stage, "0:10", 2);
    driver_wait(stage->driver, 1000);
    count_shown_clocks(stage, "0:09", 2);
    stage_clear(stage);
}

static void clocks_show_the_time_passed_if_the_house_was_only_silent(void **state)
{
    struct stage local, *stage = &local;
    (void)state;
    deal_at_new_table(stage);
    push_own_clock(stage, 25);
    driver_push(stage->driver, house_away);
    driver_wait(stage->driver, 5000);
    count_shown_clocks(stage, "0:25", 2);
    driver_push(stage->driver, house_back);
    count_shown_clocks(stage, "0:19", 2);
    stage_clear(stage);
}

static void plain_mode_says_once_that_the_house_is_away_and_that_it_is_back(void **state)
{
    static const struct driver_setup setup = {.lines = {.is_on = true, .is_echoed = true}};
    (void)state;
    struct driver *driver = driver_new(&setup);
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":true,\"people\":[],\"tables\":[]}");
    driver_type(driver, "/ta");
    driver_forget_output(driver);
    driver_push(driver, house_away);
    driver_wait(driver, 400);
    driver_push(driver, welcome);
    driver_wait(driver, 1500);
    driver_expect_no_output(driver, "house");
    driver_push(driver, house_away);
    driver_wait(driver, 1100);
    driver_expect_output(driver,
                         "One moment. The house is coming back, and nothing is lost.\r\n> /ta");
    driver_forget_output(driver);
    driver_wait(driver, 5000);
    driver_expect_no_output(driver, "house");
    driver_push(driver, welcome);
    driver_expect_output(driver, "The house is back.\r\n> /ta");
    driver_forget_output(driver);
    driver_wait(driver, 5000);
    driver_expect_no_output(driver, "house");
    driver_free(driver);
}

TEST_GROUP(house_away)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_screen_says_without_a_key_that_the_house_is_away_until_it_is_back),
        cmocka_unit_test(a_house_that_is_back_soon_is_not_called_away),
        cmocka_unit_test(what_is_typed_while_the_house_is_away_is_kept),
        cmocka_unit_test(clocks_stand_while_the_house_is_away_until_it_sends_a_view),
        cmocka_unit_test(clocks_show_the_time_passed_if_the_house_was_only_silent),
        cmocka_unit_test(plain_mode_says_once_that_the_house_is_away_and_that_it_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
