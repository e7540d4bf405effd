#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests that slow mode, freezing and searches work alike in the lobby, in channels and at
 * tables. */

#define SAY(text) "{'t':'say','to':'lobby','kind':'say','text':'" text "'}"
#define SAY_TO(place, text) "{'t':'say','to':'" place "','kind':'say','text':'" text "'}"
#define TELL "{'t':'tell','to':'eve','text':'hello'}"
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

static void chat_lines_are_hidden_by_person_time_chat_address_or_ban(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, SAY("one"));
    driver_pass_time(driver, 600000);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    driver_ok(driver, EVE, SAY("two"));
    driver_ok(driver, EVE, SAY("three"));
    driver_ok(driver, BOB, SAY("four"));
    driver_ok(driver, ADA, SAY("be kind"));
    assert_non_null(strstr(order_ok(driver, MAX, "hide eve since=5m insults"), "Hidden: 2"));
    order_expect_audit_row(driver, "max hide eve ok");
    assert_non_null(strstr(order_ok(driver, MAX, "unhide eve 9 a mistake"), "again: 2"));
    order_expect_audit_row(driver, "max unhide eve ok");
    order_expect_message(driver, EVE, "notice", "a mistake");
    const char *said = order_ok(driver, MAX, "hide lobby since=5m a quarrel");
    assert_non_null(strstr(said, "Hidden: 3"));
    assert_non_null(strstr(said, "higher role: 1"));
    assert_non_null(strstr(order_ok(driver, MAX, "unhide all 9 a mistake"), "again: 3"));
    assert_non_null(strstr(order_ok(driver, MAX, "hide ip=192.0.2.7 9 a flood"), "Hidden: 1"));
    assert_non_null(strstr(order_ok(driver, MAX, "unhide 4 a mistake"), "again: 1"));
    order_ok(driver, MAX, "ban eve 1h insults");
    assert_non_null(strstr(order_ok(driver, MAX, "hide ban=1 9 insults"), "Hidden: 3"));
    order_no(driver, MAX, "unknown", "hide ban=9 9 insults");
    order_no(driver, MAX, "bad", "hide lobby insults");
    order_no(driver, MAX, "bad", "hide ip=moon 9 insults");
    order_no(driver, MAX, "unknown", "hide nobody insults");
    order_no(driver, MAX, "bad", "hide eve sinec=5m insults");
}

static void a_line_shown_again_is_sent_again_and_stays_after_a_restart(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, SAY("one"));
    order_ok(driver, ADA, "hide 1 rude");
    order_no(driver, MAX, "role", "unhide 1 it was fine");
    order_no(driver, MAX, "role", "unhide eve it was fine");
    driver_clear_inbox(driver, BOB);
    order_ok(driver, ADA, "unhide 1 it was fine");
    order_expect_message(driver, BOB, "chat", "one");
    order_no(driver, ADA, "bad", "unhide 1 it was fine");
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    order_expect_message(driver, BOB, "chat", "one");
}

static void hiding_many_lines_requires_confirmation(void **state)
{
    struct driver *driver = *state;
    for (int i = 0; i < 20; i++) {
        driver_ok(driver, EVE, SAY("spam"));
        driver_pass_time(driver, 10000);
    }
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    assert_non_null(strstr(order_no(driver, MAX, "confirm", "hide eve 60 a flood"), "20 lines"));
    assert_non_null(strstr(order_ok(driver, MAX, "yes hide eve 60 a flood"), "Hidden: 20"));
}

static void a_new_mute_replaces_the_earlier_one(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    const char *said = order_ok(driver, MAX, "mute bob 1h scope=lobby capitals");
    assert_non_null(strstr(said, "Replaced: muted (everywhere)"));
    driver_no(driver, BOB, "muted", SAY("hello"));
    driver_ok(driver, BOB, TELL);
    assert_non_null(strstr(order_ok(driver, BOB, "sanctions"), "over · muted (everywhere)"));
    driver_pass_time(driver, 3600000);
    driver_ok(driver, BOB, SAY("hello"));
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "suspend bob 10d stalling");
    said = order_ok(driver, MAX, "suspend bob 1h stalling");
    assert_non_null(strstr(said, "Replaced: suspended"));
}

static void a_moderators_mute_leaves_that_of_an_admin_in_force(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "mute bob 10d scope=lobby shouting");
    const char *said = order_ok(driver, MAX, "mute bob 1h scope=pm spam");
    assert_non_null(strstr(said, "Still in force: muted (lobby)"));
    driver_no(driver, BOB, "muted", SAY("hello"));
    driver_no(driver, BOB, "muted", TELL);
    said = order_ok(driver, ADA, "mute bob 1m scope=table both");
    assert_non_null(strstr(said, "Replaced: muted (pm)"));
    driver_ok(driver, BOB, SAY("hello"));
}

TEST_GROUP(mod_talk)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(chat_lines_are_hidden_by_person_time_chat_address_or_ban),
        ORDER_TEST(a_line_shown_again_is_sent_again_and_stays_after_a_restart),
        ORDER_TEST(hiding_many_lines_requires_confirmation),
        ORDER_TEST(a_new_mute_replaces_the_earlier_one),
        ORDER_TEST(a_moderators_mute_leaves_that_of_an_admin_in_force),
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
