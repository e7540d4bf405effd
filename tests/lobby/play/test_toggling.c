#include "tests/lobby/table_driver.h"

#include "tests/unit.h"

#include <inttypes.h>

/* Tests that nobody can fill the others' screens with lines by changing something to and fro. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define TOGGLES 300
#define LINES_MAX 200 /* that the other person may see meanwhile */

/* Repeats two requests, one a second, and checks how many chat lines the other person gets. */
static void check_lines_of_toggling(struct driver *driver, int64_t who, const char *there,
                                    const char *back)
{
    int64_t other = who == ADA ? BOB : ADA;
    const json_t *answer = driver_request(driver, who, "%s", there);
    assert_string_equal(json_string_value(json_object_get(answer, "t")), "ok");
    size_t before = driver_count_messages(driver, other, "chat");
    for (int i = 0; i < TOGGLES; i++) {
        (void)driver_request(driver, who, "%s", back);
        driver_pass_time(driver, 1000);
        (void)driver_request(driver, who, "%s", there);
        driver_pass_time(driver, 1000);
    }
    size_t lines = driver_count_messages(driver, other, "chat") - before;
    assert_in_range(lines, 1, LINES_MAX);
}

static void toggling_a_pause_or_a_request_to_adjourn_is_limited(void **state)
{
    struct driver *driver = *state;
    (void)table_begin_game_for_two(driver, 0);
    check_lines_of_toggling(driver, ADA, "{'t':'pause'}", "{'t':'resume'}");
    driver_pass_time(driver, 3600000);
    check_lines_of_toggling(driver, ADA, "{'t':'adjourn'}", "{'t':'resume'}");
}

static void toggling_seats_bots_and_pace_is_limited(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    check_lines_of_toggling(driver, BOB, "{'t':'seat_take','seat':1}", "{'t':'seat_leave'}");
    check_lines_of_toggling(driver, ADA, "{'t':'bot_add','seat':2}", "{'t':'bot_remove','seat':2}");
    driver_pass_time(driver, 3600000);
    check_lines_of_toggling(driver, ADA, "{'t':'table_pace','pace':'slow'}",
                            "{'t':'table_pace','pace':'quick'}");
}

static void toggling_a_vacation_is_limited(void **state)
{
    struct driver *driver = *state;
    (void)table_begin_game_for_two(driver, 86400);
    check_lines_of_toggling(driver, ADA, "{'t':'vacation','days':1}", "{'t':'vacation','days':0}");
}

static void asking_again_and_again_to_resume_is_limited(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 0);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    size_t before = driver_count_messages(driver, BOB, "chat");
    for (int i = 0; i < TOGGLES; i++) {
        (void)driver_request(driver, ADA, "{'t':'resume'}");
        driver_ok(driver, ADA, "{'t':'table_leave'}");
        driver_pass_time(driver, 1000);
        driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    }
    assert_in_range(driver_count_messages(driver, BOB, "chat") - before, 1, LINES_MAX);
}

TEST_GROUP(toggling)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(toggling_a_pause_or_a_request_to_adjourn_is_limited),
        DRIVER_TEST(toggling_seats_bots_and_pace_is_limited),
        DRIVER_TEST(toggling_a_vacation_is_limited),
        DRIVER_TEST(asking_again_and_again_to_resume_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
