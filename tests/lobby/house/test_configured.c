#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"

static void send_hello(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

static const char *read_role(const json_t *answer)
{
    return driver_read_text(json_object_get(answer, "you"), "role");
}

static void a_new_account_with_the_configured_key_becomes_an_admin(void **state)
{
    struct driver *driver = *state;
    driver->config.house_first_admin = "SHA256:abc";
    driver_restart_core(driver);
    send_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    assert_string_equal(read_role(answer), "admin");
    driver_sign_up(driver, BOB, "bob");
}

static void an_existing_account_with_the_configured_key_becomes_an_admin(void **state)
{
    struct driver *driver = *state;
    send_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    assert_string_equal(read_role(answer), "player");
    driver->config.house_first_admin = "SHA256:abc";
    driver_restart_core(driver);
    send_hello(driver, BOB);
    answer = driver_ok(driver, BOB, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    assert_string_equal(read_role(answer), "admin");
}

static void limits_of_chat_come_from_the_configuration(void **state)
{
    struct driver *driver = *state;
    driver->config.chat_burst = 1;
    driver->config.chat_interval_ms = 7000;
    driver->config.chat_strikes = 2;
    driver->config.chat_mute_s = 9;
    driver_restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    static const char say[] = "{'t':'say','to':'lobby','kind':'say','text':'x'}";
    driver_ok(driver, ADA, "%s", say);
    assert_int_equal(driver_read_number(driver_no(driver, ADA, "wait", "%s", say), "wait_s"), 7);
    assert_int_equal(driver_read_number(driver_no(driver, ADA, "wait", "%s", say), "wait_s"), 9);
    driver_pass_time(driver, 9000);
    driver_ok(driver, ADA, "%s", say);
}

static void limits_of_passwords_keys_codes_and_chat_lines_come_from_the_configuration(void **state)
{
    struct driver *driver = *state;
    driver->config.accounts_password_min = 12;
    driver->config.accounts_password_max = 70;
    driver->config.accounts_keys_each = 1;
    driver->config.accounts_code_s = 45;
    driver->config.chat_columns = 20;
    driver_restart_core(driver);
    send_hello(driver, ADA);
    const json_t *lengths =
        json_object_get(driver_newest_message(driver, ADA, "welcome"), "password");
    assert_int_equal(json_integer_value(json_array_get(lengths, 0)), 12);
    assert_int_equal(json_integer_value(json_array_get(lengths, 1)), 70);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *no = driver_no(driver, ADA, "password_bad",
                                 "{'t':'sign_up','name':'ada','password':'elevenbytes'}");
    assert_non_null(strstr(driver_read_text(no, "why"), "12 to 70"));
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_no(driver, ADA, "full", "{'t':'key_add'}");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'%020d'}", 1);
    no = driver_no(driver, ADA, "too_long", "{'t':'say','to':'lobby','kind':'say','text':'%021d'}",
                   1);
    assert_non_null(strstr(driver_read_text(no, "why"), "20 columns"));
    driver->config.accounts_keys_each = 2;
    driver_restart_core(driver);
    send_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    assert_int_equal(driver_read_number(driver_ok(driver, ADA, "{'t':'key_add'}"), "for_s"), 45);
}

static void a_connection_ends_after_as_many_refused_messages_as_configured(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_input_burst = 20;
    driver->config.limits_input_excess = 3;
    driver_restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_pass_time(driver, 10000);
    for (int i = 0; i < 20; i++) {
        driver_ok(driver, ADA, "{'t':'ping'}");
    }
    for (int i = 0; i < 3; i++) {
        driver_no(driver, ADA, "too_fast", "{'t':'ping'}");
    }
    assert_null(driver_newest_message(driver, ADA, "bye"));
    (void)driver_request(driver, ADA, "{'t':'ping'}");
    assert_non_null(driver_newest_message(driver, ADA, "bye"));
}

static void new_accounts_that_are_held_can_chat_once_a_moderator_releases_them(void **state)
{
    struct driver *driver = *state;
    static const char say[] = "{'t':'say','to':'lobby','kind':'say','text':'x'}";
    driver->config.house_first_admin = "SHA256:abc";
    driver->config.house_registration = "hold";
    driver_restart_core(driver);
    driver->config.house_registration = "keep";
    driver_restart_core(driver);
    send_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_ok(driver, ADA, "%s", say);
    driver_sign_up(driver, BOB, "bob");
    assert_non_null(driver_newest_message(driver, BOB, "notice"));
    driver_no(driver, BOB, "held", "%s", say);
    driver_no(driver, BOB, "held", "{'t':'tell','to':'ada','text':'x'}");
    driver_no(driver, BOB, "role", "{'t':'mod','line':'release bob'}");
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    driver_no(driver, ADA, "unknown", "{'t':'mod','line':'release eve'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'release bob'}");
    driver_ok(driver, BOB, "%s", say);
}

TEST_GROUP(configured)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_new_account_with_the_configured_key_becomes_an_admin),
        DRIVER_TEST(an_existing_account_with_the_configured_key_becomes_an_admin),
        DRIVER_TEST(new_accounts_that_are_held_can_chat_once_a_moderator_releases_them),
        DRIVER_TEST(limits_of_chat_come_from_the_configuration),
        DRIVER_TEST(limits_of_passwords_keys_codes_and_chat_lines_come_from_the_configuration),
        DRIVER_TEST(a_connection_ends_after_as_many_refused_messages_as_configured),
    };
    return cmocka_run_group_tests_name("configured", tests, NULL, NULL);
}
