#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define DAY_MS INT64_C(86400000)

static const char *read_news_line_at(const json_t *answer, size_t index)
{
    const char *text = json_string_value(json_array_get(json_object_get(answer, "lines"), index));
    return text == NULL ? "" : text;
}

static void news_is_announced_until_read_and_only_admins_write_it(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, BOB, "bob");
    driver_no(driver, BOB, "role", "{'t':'mod','line':'news add mine'}");
    const json_t *answer = driver_ok(driver, BOB, "{'t':'mod','line':'news'}");
    assert_string_equal(read_news_line_at(answer, 0), "There is no news.");
    driver_connect(driver, EVE, PEER_OPERATOR);
    (void)driver_send(driver, EVE, "{'t':'hello','protocol':3}");
    driver_ok(driver, EVE, "{'t':'mod','line':'news add A sixth game has come.'}");
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, BOB, "notice"), "text"), "1 piece"));
    answer = driver_ok(driver, BOB, "{'t':'mod','line':'news'}");
    assert_true(strncmp(read_news_line_at(answer, 0), "new, 20", 7) == 0);
    assert_non_null(strstr(read_news_line_at(answer, 0), "A sixth game has come."));
    answer = driver_ok(driver, BOB, "{'t':'mod','line':'news'}");
    assert_true(strncmp(read_news_line_at(answer, 0), "20", 2) == 0);
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_null(driver_newest_message(driver, BOB, "notice"));
    driver_ok(driver, EVE, "{'t':'mod','line':'news remove 1'}");
    driver_no(driver, EVE, "unknown", "{'t':'mod','line':'news remove 1'}");
    driver_no(driver, EVE, "bad", "{'t':'mod','line':'news sing'}");
}

static void everybody_may_read_the_message_of_the_day(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, BOB, "bob");
    driver_no(driver, BOB, "role", "{'t':'mod','line':'motd hello'}");
    driver_connect(driver, EVE, PEER_OPERATOR);
    (void)driver_send(driver, EVE, "{'t':'hello','protocol':3}");
    driver_ok(driver, EVE, "{'t':'mod','line':'motd hello all'}");
    assert_string_equal(read_news_line_at(driver_ok(driver, BOB, "{'t':'mod','line':'motd'}"), 0),
                        "hello all");
}

static void the_game_of_the_day_is_one_that_ended_yesterday(void **state)
{
    struct driver *driver = *state;
    static const int64_t conns[] = {ADA, BOB, EVE};
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    for (size_t i = 1; i < 3; i++) {
        driver_ok(driver, conns[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, conns[i], "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, conns, 3, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    assert_int_equal(driver_read_number(driver_ok(driver, ADA, "{'t':'best'}"), "game_id"), -1);
    driver_pass_time(driver, DAY_MS);
    const json_t *best = driver_ok(driver, ADA, "{'t':'best'}");
    assert_int_equal(driver_read_number(best, "game_id"),
                     driver_read_number(driver_newest_message(driver, ADA, "result"), "game_id"));
    assert_int_equal(json_array_size(json_object_get(best, "players")), 3);
    driver_pass_time(driver, DAY_MS);
    assert_int_equal(driver_read_number(driver_ok(driver, ADA, "{'t':'best'}"), "game_id"), -1);
}

TEST_GROUP(news)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(news_is_announced_until_read_and_only_admins_write_it),
        DRIVER_TEST(everybody_may_read_the_message_of_the_day),
        DRIVER_TEST(the_game_of_the_day_is_one_that_ended_yesterday),
    };
    return cmocka_run_group_tests_name("news", tests, NULL, NULL);
}
