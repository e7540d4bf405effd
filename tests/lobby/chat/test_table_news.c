#include "lobby/chat/chat.h"

#include "lobby/house/say.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#define ADA DRIVER_FIRST

/* Tells that `count` tables were opened, and lets the house send its lines. */
static void open_tables(struct driver *driver, int count)
{
    for (int i = 1; i <= count; i++) {
        table_news_tell(
            driver->house, TABLE_NEWS_OPENED,
            say("%s opened %p, %d seats, no clock", "bob", say_word_argument("Oh Hell"), i));
    }
    driver_pass_time(driver, 1);
}

static size_t count_lines(struct driver *driver)
{
    return driver_count_messages(driver, ADA, "chat");
}

static void expect_newest_line(struct driver *driver, const char *text)
{
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "text"), text);
}

static void the_first_events_are_told_one_by_one_and_the_others_as_a_sum(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    open_tables(driver, TABLE_NEWS_BURST + 12);
    assert_int_equal(count_lines(driver), TABLE_NEWS_BURST);
    expect_newest_line(driver, "bob opened Oh Hell, 6 seats, no clock");
    driver_pass_time(driver, TABLE_NEWS_PACE_MS);
    assert_int_equal(count_lines(driver), TABLE_NEWS_BURST + 1);
    expect_newest_line(driver, "12 tables were opened");
    driver_pass_time(driver, TABLE_NEWS_BURST * TABLE_NEWS_PACE_MS);
    assert_int_equal(count_lines(driver), TABLE_NEWS_BURST + 1);
    open_tables(driver, TABLE_NEWS_BURST); /* after a quiet time all are told again */
    assert_int_equal(count_lines(driver), 2 * TABLE_NEWS_BURST + 1);
}

static void a_single_event_that_had_to_wait_is_told_in_its_own_words(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    open_tables(driver, TABLE_NEWS_BURST);
    table_news_tell(driver->house, TABLE_NEWS_OVER,
                    say("%p is over: nobody won", say_word_argument("Oh Hell")));
    table_news_tell(driver->house, TABLE_NEWS_BEGUN,
                    say("%p has begun: %s", say_word_argument("Oh Hell"), "ada, bob"));
    table_news_tell(driver->house, TABLE_NEWS_BEGUN,
                    say("%p has begun: %s", say_word_argument("Suppose"), "eve, bob"));
    driver_pass_time(driver, 1);
    assert_int_equal(count_lines(driver), TABLE_NEWS_BURST);
    driver_pass_time(driver, TABLE_NEWS_PACE_MS);
    assert_int_equal(count_lines(driver), TABLE_NEWS_BURST + 2);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "chat", "2 games"), 1);
    expect_newest_line(driver, "Oh Hell is over: nobody won");
}

static void a_steady_stream_of_events_is_told_at_the_pace(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (int second = 0; second < 60; second++) { /* two tables a second for a minute */
        open_tables(driver, 2);
        driver_pass_time(driver, 1000);
    }
    assert_in_range(count_lines(driver), TABLE_NEWS_BURST + 60000 / TABLE_NEWS_PACE_MS - 1,
                    TABLE_NEWS_BURST + 60000 / TABLE_NEWS_PACE_MS + 1);
    expect_newest_line(driver, "10 tables were opened");
}

TEST_GROUP(table_news)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(the_first_events_are_told_one_by_one_and_the_others_as_a_sum),
        DRIVER_TEST(a_single_event_that_had_to_wait_is_told_in_its_own_words),
        DRIVER_TEST(a_steady_stream_of_events_is_told_at_the_pace),
    };
    return cmocka_run_group_tests_name("table news", tests, NULL, NULL);
}
