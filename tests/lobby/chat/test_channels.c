#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static void a_channels_lines_reach_only_its_members(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, ADA, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, ADA, "{'t':'say','to':'#tea','kind':'say','text':'milk?'}");
    const json_t *chat = driver_newest_message(driver, BOB, "chat");
    assert_string_equal(driver_read_text(chat, "channel"), "#tea");
    assert_string_equal(driver_read_text(chat, "text"), "milk?");
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), 0);
    driver_no(driver, EVE, "absent", "{'t':'say','to':'#tea','kind':'say','text':'hm'}");
    driver_ok(driver, BOB, "{'t':'part','channel':'#tea'}");
    driver_ok(driver, ADA, "{'t':'say','to':'#tea','kind':'me','text':'pours'}");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    driver_no(driver, BOB, "unknown", "{'t':'part','channel':'#tea'}");
}

static void a_member_who_returns_is_still_in_the_channel_and_gets_its_last_lines(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'say','to':'#tea','kind':'say','text':'all gone'}");
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    const json_t *names = json_object_get(driver_newest_message(driver, BOB, "channels"), "names");
    assert_string_equal(json_string_value(json_array_get(names, 0)), "#tea");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"),
                        "all gone");
    const json_t *rows = json_object_get(driver_ok(driver, BOB, "{'t':'channels'}"), "channels");
    assert_int_equal(json_array_size(rows), 1);
    assert_int_equal(driver_read_number(json_array_get(rows, 0), "members"), 2);
    assert_int_equal(driver_read_number(json_array_get(rows, 0), "here"), 1);
    assert_true(json_is_true(json_object_get(json_array_get(rows, 0), "is_in")));
}

static void invalid_and_reserved_channel_names_are_refused(void **state)
{
    struct driver *driver = *state;
    static const char *const bad[] = {"tea",    "#",      "#Tea", "#1st",
                                      "#lobby", "#staff", "#a b", "#abcdefghijklmnopqrstuvwxyz"};
    driver_sign_up(driver, ADA, "ada");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        driver_no(driver, ADA, "name_bad", "{'t':'join','channel':'%s'}", bad[i]);
    }
    driver_no(driver, ADA, "name_bad", "{'t':'join'}");
    for (int i = 0; i < LIMIT_CHANNELS_EACH; i++) {
        driver_ok(driver, ADA, "{'t':'join','channel':'#c%d'}", i);
    }
    driver_ok(driver, ADA, "{'t':'join','channel':'#c3'}");
    driver_no(driver, ADA, "full", "{'t':'join','channel':'#tea'}");
}

static void the_rate_limit_of_the_chat_applies_in_channels(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'join','channel':'#tea'}");
    for (uint32_t i = 0; i < driver->config.chat_burst; i++) {
        driver_ok(driver, ADA, "{'t':'say','to':'#tea','kind':'say','text':'%d'}", i);
    }
    driver_no(driver, ADA, "wait", "{'t':'say','to':'#tea','kind':'say','text':'more'}");
}

TEST_GROUP(channels)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_channels_lines_reach_only_its_members),
        DRIVER_TEST(a_member_who_returns_is_still_in_the_channel_and_gets_its_last_lines),
        DRIVER_TEST(invalid_and_reserved_channel_names_are_refused),
        DRIVER_TEST(the_rate_limit_of_the_chat_applies_in_channels),
    };
    return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
