#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static void lobby_lines_reach_everybody_in_the_lobby(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'hello \\u202eyou'}");
    for (int64_t conn = ADA; conn <= BOB; conn++) {
        const json_t *chat = driver_newest_message(driver, conn, "chat");
        assert_string_equal(driver_read_text(chat, "channel"), "lobby");
        assert_string_equal(driver_read_text(chat, "from"), "ada");
        assert_string_equal(driver_read_text(chat, "text"), "hello you");
        assert_string_equal(driver_read_text(chat, "kind"), "say");
        assert_int_equal(driver_read_number(chat, "at"), driver->now_ms);
    }
    driver_ok(driver, BOB, "{'t':'say','to':'lobby','kind':'me','text':'waves'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "kind"), "me");
}

static void a_direct_message_reaches_only_sender_and_recipient(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'psst'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"),
                        "psst");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "to"), "bob");
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), 0);
    driver_no(driver, ADA, "unknown", "{'t':'tell','to':'zoe','text':'psst'}");
    driver_no(driver, ADA, "self", "{'t':'tell','to':'ada','text':'psst'}");
    driver_no(driver, ADA, "unknown", "{'t':'tell','text':'psst'}");
}

static void
whoever_enters_gets_the_last_lobby_lines_and_their_direct_messages_in_order(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'one'}");
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'two'}");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'three'}");
    driver_sign_in(driver, EVE, "bob");
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), 3);
    static const char *const wanted[] = {"one", "two", "three"};
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[EVE]); i++) {
        const json_t *message = json_array_get(driver->inbox[EVE], i);
        if (strcmp(driver_read_text(message, "t"), "chat") == 0) {
            assert_string_equal(driver_read_text(message, "text"), wanted[at++]);
        }
    }
    driver_enter_as_guest(driver, EVE + 1);
    assert_int_equal(driver_count_messages(driver, EVE + 1, "chat"), 2);
}

static void table_chat_reaches_only_people_at_the_table(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_no(driver, ADA, "absent", "{'t':'say','to':'table','kind':'say','text':'x'}");
    driver_no(driver, ADA, "absent", "{'t':'say','kind':'say','text':'x'}");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    size_t before = driver_count_messages(driver, EVE, "chat");
    driver_ok(driver, BOB, "{'t':'say','to':'table','kind':'say','text':'well met'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "text"),
                        "well met");
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), before);
    driver_clear_inbox(driver, EVE);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "chat"), "text"),
                        "well met");
}

static void empty_and_over_long_lines_are_refused(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    char text[300];
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    driver_no(driver, ADA, "empty", "{'t':'say','to':'lobby','kind':'say','text':'  '}");
    driver_no(driver, ADA, "empty", "{'t':'say','to':'lobby','kind':'say'}");
    driver_no(driver, ADA, "too_long", "{'t':'say','to':'lobby','kind':'say','text':'%s'}", text);
}

static const char line[] = "{'t':'say','to':'lobby','kind':'say','text':'again'}";

static void chatting_too_fast_is_refused_and_finally_muted_for_a_minute(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (uint32_t i = 0; i < driver->config.chat_burst; i++) {
        driver_ok(driver, ADA, "%s", line);
    }
    driver_no(driver, ADA, "wait", "%s", line);
    driver_pass_time(driver, 2000);
    driver_ok(driver, ADA, "%s", line);
    driver_no(driver, ADA, "wait", "%s", line);
    const json_t *mute = driver_no(driver, ADA, "wait", "%s", line);
    assert_int_equal(driver_read_number(mute, "wait_s"), 60);
    driver_pass_time(driver, 59000);
    mute = driver_no(driver, ADA, "wait", "%s", line);
    assert_int_equal(driver_read_number(mute, "wait_s"), 1);
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "%s", line);
}

static void a_repeated_chat_request_is_answered_again_but_shown_once(void **state)
{
    struct driver *driver = *state;
    static const char say[] = "{'t':'say','id':900,'to':'lobby','kind':'say','text':'only once'}";
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    assert_int_equal(driver_send(driver, ADA, "%s", say), HOUSE_OK);
    assert_int_equal(driver_send(driver, ADA, "%s", say), HOUSE_OK);
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    driver_restart_core(driver);
    driver_clear_inbox(driver, ADA);
    driver_connect_session(driver, ADA);
    assert_int_equal(driver_count_messages(driver, ADA, "chat"), 1);
    assert_int_equal(driver_send(driver, ADA, "%s", say), HOUSE_OK);
    assert_non_null(driver_find_answer(driver, ADA, 900));
    assert_int_equal(driver_count_messages(driver, ADA, "chat"), 1);
}

static void too_many_messages_are_refused_and_then_end_the_connection(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_pass_time(driver, 10000);
    for (uint32_t i = 0; i < driver->config.limits_input_burst; i++) {
        driver_ok(driver, ADA, "{'t':'ping'}");
    }
    driver_no(driver, ADA, "too_fast", "{'t':'ping'}");
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'ping'}");
    for (uint32_t i = 0; i < driver->config.limits_input_burst + driver->config.limits_input_excess;
         i++) {
        (void)driver_request(driver, ADA, "{'t':'ping'}");
    }
    assert_non_null(driver_newest_message(driver, ADA, "bye"));
}

TEST_GROUP(chat)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(lobby_lines_reach_everybody_in_the_lobby),
        DRIVER_TEST(a_direct_message_reaches_only_sender_and_recipient),
        DRIVER_TEST(whoever_enters_gets_the_last_lobby_lines_and_their_direct_messages_in_order),
        DRIVER_TEST(table_chat_reaches_only_people_at_the_table),
        DRIVER_TEST(empty_and_over_long_lines_are_refused),
        DRIVER_TEST(chatting_too_fast_is_refused_and_finally_muted_for_a_minute),
        DRIVER_TEST(a_repeated_chat_request_is_answered_again_but_shown_once),
        DRIVER_TEST(too_many_messages_are_refused_and_then_end_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
