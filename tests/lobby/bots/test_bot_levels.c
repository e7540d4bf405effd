#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define GUEST (DRIVER_FIRST + 1)

/* How well the bots of the house play, and who gets which of them. */

static const json_t *read_seat(const struct driver *driver, int64_t conn, size_t seat)
{
    const json_t *table = driver_newest_message(driver, conn, "table");
    return json_array_get(json_object_get(table, "seats"), seat);
}

/* Plays games against bots to their ends. */
static void finish_games(struct driver *driver, int count)
{
    for (int i = 0; i < count; i++) {
        driver_clear_inbox(driver, ADA);
        driver_ok(driver, ADA, "{'t':'quick','game':'hund'}");
        (void)driver_play_moves(driver, (const int64_t[]){ADA}, 1, SIZE_MAX);
        driver_ok(driver, ADA, "{'t':'table_leave'}");
        driver_pass_time(driver, 10000);
    }
}

/* Returns the policy of a bot that the person adds without naming a level. */
static const char *read_policy_of_usual_bot(struct driver *driver, int64_t conn)
{
    (void)driver_open_table(driver, conn, 3, 0);
    driver_ok(driver, conn, "{'t':'bot_add'}");
    return driver_read_text(read_seat(driver, conn, 1), "policy");
}

static void guests_and_people_with_fewer_than_five_finished_games_get_easy_bots(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, GUEST);
    driver_sign_up(driver, ADA, "ada");
    assert_string_equal(read_policy_of_usual_bot(driver, GUEST), "easy");
    finish_games(driver, 4);
    assert_string_equal(read_policy_of_usual_bot(driver, ADA), "easy");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'quick','game':'hund'}");
    const json_t *first = read_seat(driver, ADA, 0);
    const char *kind = driver_read_text(first, "kind");
    const json_t *bot = strcmp(kind, "bot") == 0 ? first : read_seat(driver, ADA, 1);
    assert_string_equal(driver_read_text(bot, "policy"), "easy");
    (void)driver_play_moves(driver, (const int64_t[]){ADA}, 1, SIZE_MAX);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 10000);
    assert_string_equal(read_policy_of_usual_bot(driver, ADA), "medium");
}

static void seven_bots_of_each_level_can_sit_at_a_table(void **state)
{
    struct driver *driver = *state;
    static const char *const levels[] = {"easy", "medium", "strong"};
    driver_sign_up(driver, ADA, "ada");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        (void)driver_open_table(driver, ADA, 7, 0);
        for (size_t seat = 1; seat < 7; seat++) {
            driver_ok(driver, ADA, "{'t':'bot_add','policy':'%s'}", levels[i]);
            driver_pass_time(driver, 1000);
            assert_string_equal(driver_read_text(read_seat(driver, ADA, seat), "policy"),
                                levels[i]);
        }
        driver_ok(driver, ADA, "{'t':'seat_leave'}");
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'%s'}", levels[i]);
        driver_ok(driver, ADA, "{'t':'table_leave'}");
    }
}

static void profiles_and_leaderboards_tell_the_level_of_a_bot(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'profile','name':'thales'}");
    assert_string_equal(driver_read_text(answer, "level"), "strong");
    answer = driver_ok(driver, ADA, "{'t':'profile'}");
    assert_null(json_object_get(answer, "level"));
}

TEST_GROUP(bot_levels)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(guests_and_people_with_fewer_than_five_finished_games_get_easy_bots),
        DRIVER_TEST(seven_bots_of_each_level_can_sit_at_a_table),
        DRIVER_TEST(profiles_and_leaderboards_tell_the_level_of_a_bot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
