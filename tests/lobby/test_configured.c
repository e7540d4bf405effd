#include "tests/lobby/house_driver.h"

#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"

static void hello(struct driver *driver, int64_t conn)
{
    driver_connect(driver, conn, PEER_SESSION);
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':1}"), HOUSE_OK);
}

static const char *role_of(const json_t *answer)
{
    return driver_text(json_object_get(answer, "you"), "role");
}

static void the_key_in_the_configuration_makes_an_admin_of_a_new_account(void **state)
{
    struct driver *driver = *state;
    driver->config.first_admin = "SHA256:abc";
    driver_restart(driver);
    hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    assert_string_equal(role_of(answer), "admin");
    driver_sign_up(driver, BOB, "bob");
}

static void the_key_in_the_configuration_makes_an_admin_of_its_account(void **state)
{
    struct driver *driver = *state;
    hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    assert_string_equal(role_of(answer), "player");
    driver->config.first_admin = "SHA256:abc";
    driver_restart(driver);
    hello(driver, BOB);
    answer = driver_ok(driver, BOB, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    assert_string_equal(role_of(answer), "admin");
}

static void limits_are_those_of_the_configuration(void **state)
{
    struct driver *driver = *state;
    driver->config.limits.chat_burst = 1;
    driver->config.limits.chat_interval_ms = 7000;
    driver->config.limits.chat_strikes = 2;
    driver->config.limits.chat_mute_s = 9;
    driver_restart(driver);
    driver_sign_up(driver, ADA, "ada");
    static const char say[] = "{'t':'say','to':'lobby','kind':'say','text':'x'}";
    driver_ok(driver, ADA, "%s", say);
    assert_int_equal(driver_number(driver_no(driver, ADA, "wait", "%s", say), "wait_s"), 7);
    assert_int_equal(driver_number(driver_no(driver, ADA, "wait", "%s", say), "wait_s"), 9);
    driver_pass(driver, 9000);
    driver_ok(driver, ADA, "%s", say);
}

static void held_accounts_are_heard_once_a_moderator_releases_them(void **state)
{
    struct driver *driver = *state;
    static const char say[] = "{'t':'say','to':'lobby','kind':'say','text':'x'}";
    driver->config.first_admin = "SHA256:abc";
    driver->config.registration = "hold";
    driver_restart(driver);
    driver->config.registration = "keep";
    driver_restart(driver);
    hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_ok(driver, ADA, "%s", say);
    driver_sign_up(driver, BOB, "bob");
    assert_non_null(driver_newest(driver, BOB, "notice"));
    driver_no(driver, BOB, "held", "%s", say);
    driver_no(driver, BOB, "held", "{'t':'tell','to':'ada','text':'x'}");
    driver_no(driver, BOB, "role", "{'t':'release','name':'bob'}");
    driver_no(driver, ADA, "unknown", "{'t':'release','name':'eve'}");
    driver_ok(driver, ADA, "{'t':'release','name':'bob'}");
    driver_ok(driver, BOB, "%s", say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(the_key_in_the_configuration_makes_an_admin_of_a_new_account),
        DRIVER_TEST(the_key_in_the_configuration_makes_an_admin_of_its_account),
        DRIVER_TEST(held_accounts_are_heard_once_a_moderator_releases_them),
        DRIVER_TEST(limits_are_those_of_the_configuration),
    };
    return cmocka_run_group_tests_name("configured", tests, NULL, NULL);
}
