#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests that slow mode, freezing and searches work alike in the lobby, in channels and at
 * tables. */

#define SAY_TO(place, text) "{'t':'say','to':'" place "','kind':'say','text':'" text "'}"
#define JOIN "{'t':'join','channel':'#tea'}"

static void join_channel_as_bob_and_eve(struct driver *driver)
{
    driver_ok(driver, BOB, JOIN);
    driver_ok(driver, EVE, JOIN);
}

static void slow_mode_counts_only_lines_of_its_own_channel(void **state)
{
    struct driver *driver = *state;
    join_channel_as_bob_and_eve(driver);
    order_ok(driver, MAX, "slow #tea 30");
    order_expect_audit_row(driver, "max slow #tea ok");
    driver_ok(driver, EVE, SAY_TO("lobby", "hello"));
    driver_ok(driver, EVE, SAY_TO("#tea", "one"));
    driver_no(driver, EVE, "wait", SAY_TO("#tea", "two"));
    driver_ok(driver, BOB, SAY_TO("#tea", "mine"));
    driver_ok(driver, EVE, SAY_TO("lobby", "slow there"));
    driver_pass_time(driver, 29000);
    driver_no(driver, EVE, "wait", SAY_TO("#tea", "two"));
    driver_pass_time(driver, 1000);
    driver_ok(driver, EVE, SAY_TO("#tea", "two"));
    order_ok(driver, MAX, "slow #tea 0");
    driver_ok(driver, EVE, SAY_TO("#tea", "three"));
}

static void reconnecting_does_not_shorten_slow_mode(void **state)
{
    struct driver *driver = *state;
    join_channel_as_bob_and_eve(driver);
    order_ok(driver, MAX, "slow #tea 30");
    driver_ok(driver, EVE, SAY_TO("#tea", "one"));
    driver_disconnect(driver, EVE);
    driver_sign_in(driver, EVE, "eve");
    driver_no(driver, EVE, "wait", SAY_TO("#tea", "two"));
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    driver_no(driver, EVE, "wait", SAY_TO("#tea", "two"));
}

static void freezing_a_channel_notifies_its_members_and_survives_a_restart(void **state)
{
    struct driver *driver = *state;
    join_channel_as_bob_and_eve(driver);
    driver_ok(driver, MAX, JOIN);
    driver_clear_inbox(driver, EVE);
    order_ok(driver, MAX, "freeze #tea on");
    order_expect_audit_row(driver, "max freeze #tea ok");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "chat"), "channel"),
                        "#tea");
    driver_no(driver, EVE, "frozen", SAY_TO("#tea", "one"));
    driver_no(driver, EVE, "frozen", "{'t':'say','to':'#tea','kind':'me','text':'waves'}");
    driver_ok(driver, EVE, SAY_TO("lobby", "one"));
    driver_ok(driver, MAX, SAY_TO("#tea", "be kind"));
    driver_ok(driver, EVE, "{'t':'part','channel':'#tea'}");
    driver_ok(driver, BOB, "{'t':'part','channel':'#tea'}");
    driver_ok(driver, MAX, "{'t':'part','channel':'#tea'}");
    driver_ok(driver, EVE, JOIN);
    driver_no(driver, EVE, "frozen", SAY_TO("#tea", "one"));
    order_ok(driver, MAX, "freeze #tea off");
    driver_ok(driver, EVE, SAY_TO("#tea", "one"));
}

static void chat_lines_of_channels_are_searched_like_those_of_the_lobby(void **state)
{
    struct driver *driver = *state;
    join_channel_as_bob_and_eve(driver);
    driver_ok(driver, EVE, SAY_TO("#tea", "milk"));
    driver_pass_time(driver, 7200000);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    driver_ok(driver, BOB, SAY_TO("#tea", "sugar"));
    driver_ok(driver, BOB, SAY_TO("lobby", "salt"));
    const char *said = order_ok(driver, MAX, "log #tea");
    assert_non_null(strstr(said, "milk"));
    assert_non_null(strstr(said, "sugar"));
    assert_null(strstr(said, "salt"));
    order_expect_audit_row(driver, "max log #tea ok");
    assert_null(strstr(order_ok(driver, MAX, "log #tea since=1h"), "milk"));
    assert_null(strstr(order_ok(driver, MAX, "log #tea text=SUGAR"), "milk"));
    assert_null(strstr(order_ok(driver, MAX, "log #tea max=1"), "milk"));
    assert_non_null(strstr(order_ok(driver, MAX, "log bob"), "sugar"));
    order_ok(driver, MAX, "hide eve 1 spilt");
    assert_non_null(strstr(order_ok(driver, MAX, "log #tea"), "milk (hidden)"));
}

static void invalid_channel_names_are_refused(void **state)
{
    static const char *const bad[] = {"#", "#Tea", "#9tea", "#staff", "#tea!", "tea"};
    char line[64];
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        snprintf(line, sizeof line, "freeze %s on", bad[i]);
        order_no(*state, MAX, "unknown", line);
        snprintf(line, sizeof line, "slow %s 5", bad[i]);
        order_no(*state, MAX, "unknown", line);
        snprintf(line, sizeof line, "log %s", bad[i]);
        order_no(*state, MAX, "unknown", line);
    }
}

static void slow_mode_and_freezing_apply_to_one_table_only(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    snprintf(line, sizeof line, "slow #%d 60", (int)table);
    order_ok(driver, MAX, line);
    driver_ok(driver, EVE, SAY_TO("table", "one"));
    driver_no(driver, EVE, "wait", SAY_TO("table", "two"));
    driver_ok(driver, EVE, SAY_TO("lobby", "two"));
    snprintf(line, sizeof line, "freeze #%d on", (int)table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "max freeze #%d ok", (int)table);
    order_expect_audit_row(driver, line);
    driver_no(driver, BOB, "frozen", SAY_TO("table", "one"));
    snprintf(line, sizeof line, "log #%d", (int)table);
    assert_non_null(strstr(order_ok(driver, MAX, line), "one"));
}

static void slow_mode_and_freezing_of_a_table_can_be_changed_after_it_closed(void **state)
{
    struct driver *driver = *state;
    char line[64];
    const int table = (int)driver_open_table(driver, EVE, 3, 0);
    snprintf(line, sizeof line, "slow #%d 60", table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "freeze #%d on", table);
    order_ok(driver, MAX, line);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_pass_time(driver, (int64_t)driver->config.play_table_kept_s * 1000 + 1000);
    snprintf(line, sizeof line, "slow #%d 30", table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "slow #%d 0", table);
    order_ok(driver, MAX, line);
    order_no(driver, MAX, "unknown", line);
    snprintf(line, sizeof line, "freeze #%d off", table);
    order_ok(driver, MAX, line);
    order_no(driver, MAX, "unknown", line);
}

TEST_GROUP(mod_talk)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(slow_mode_counts_only_lines_of_its_own_channel),
        ORDER_TEST(reconnecting_does_not_shorten_slow_mode),
        ORDER_TEST(freezing_a_channel_notifies_its_members_and_survives_a_restart),
        ORDER_TEST(chat_lines_of_channels_are_searched_like_those_of_the_lobby),
        ORDER_TEST(invalid_channel_names_are_refused),
        ORDER_TEST(slow_mode_and_freezing_apply_to_one_table_only),
        ORDER_TEST(slow_mode_and_freezing_of_a_table_can_be_changed_after_it_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
