#include "lobby/house/house_state.h"

#include "storage/accounts/accounts.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests who may sign in over telnet, and what is refused there. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define BY_PASSWORD "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}"

static void connect_over_transport(struct driver *driver, int64_t conn, const char *transport)
{
    driver_connect_session_from(driver, conn, "203.0.113.7", transport);
}

static void set_role(struct driver *driver, const char *name, enum storage_role role)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, role), STORAGE_OK);
}

static void guests_may_use_telnet(void **state)
{
    struct driver *driver = *state;
    connect_over_transport(driver, ADA, "telnet");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'guest'}");
}

static void an_account_made_over_ssh_may_use_telnet_once_its_owner_allows_that(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    connect_over_transport(driver, BOB, "telnet");
    driver_no(driver, BOB, "telnet", BY_PASSWORD);
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_ok(driver, BOB, BY_PASSWORD);
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':false}}");
    connect_over_transport(driver, EVE, "telnet");
    driver_no(driver, EVE, "telnet", BY_PASSWORD);
}

static void a_wrong_password_does_not_reveal_whether_telnet_is_switched_on(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    connect_over_transport(driver, BOB, "telnet");
    assert_null(driver_request(driver, BOB,
                               "{'t':'sign_in','method':'password','name':'ada','password':'x'}"));
    driver_pass_time(driver, driver->config.door_denial_ms);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "no"), "code"),
                        "denied");
}

static void an_account_made_over_telnet_may_use_ssh_and_telnet(void **state)
{
    struct driver *driver = *state;
    connect_over_transport(driver, ADA, "telnet");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'password','name':'','password':''}");
    const json_t *answer =
        driver_ok(driver, ADA, "{'t':'sign_up','name':'ada','password':'password of ada'}");
    const json_t *settings = json_object_get(json_object_get(answer, "you"), "settings");
    assert_true(json_is_true(json_object_get(settings, "telnet")));
    assert_null(json_object_get(json_object_get(answer, "you"),
                                "recovery")); /* the answer has no recovery code, because others on
                                                 the network could read it */
    connect_over_transport(driver, BOB, "telnet");
    driver_ok(driver, BOB, BY_PASSWORD);
    connect_over_transport(driver, EVE, "ssh");
    driver_ok(driver, EVE, BY_PASSWORD);
}

static void staff_cannot_use_telnet(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_disconnect(driver, ADA);
    static const enum storage_role roles[] = {STORAGE_ROLE_MOD, STORAGE_ROLE_ADMIN};
    for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
        set_role(driver, "ada", roles[i]);
        connect_over_transport(driver, BOB, "telnet");
        driver_no(driver, BOB, "telnet", BY_PASSWORD);
        driver_disconnect(driver, BOB);
        connect_over_transport(driver, ADA, "ssh");
        driver_ok(driver, ADA, BY_PASSWORD);
        driver_no(driver, ADA, "telnet", "{'t':'settings_set','settings':{'telnet':true}}");
        driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':false}}");
        driver_disconnect(driver, ADA);
    }
}

static void a_key_does_not_sign_in_over_telnet(void **state)
{
    struct driver *driver = *state;
    connect_over_transport(driver, ADA, "telnet");
    static const char *const requests[] = {
        "{'t':'key_check','name':'x','key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}}",
        "{'t':'sign_in','method':'key','name':'x',"
        "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}}",
    };
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        driver_clear_inbox(driver, ADA);
        assert_null(driver_request(driver, ADA, "%s", requests[i]));
        driver_pass_time(driver, driver->config.door_denial_ms);
        assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "no"), "code"),
                            "denied");
    }
}

static void no_password_can_be_changed_over_telnet(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':true}}");
    connect_over_transport(driver, BOB, "telnet");
    driver_ok(driver, BOB, BY_PASSWORD);
    driver_no(driver, BOB, "telnet",
              "{'t':'password_set','password':'another password','old':'password of ada'}");
}

static void no_recovery_code_is_accepted_over_telnet(void **state)
{
    struct driver *driver = *state;
    char code[32];
    connect_over_transport(driver, ADA, "ssh");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'password','name':'ada','password':''}");
    const json_t *answer =
        driver_ok(driver, ADA, "{'t':'sign_up','name':'ada','password':'password of ada'}");
    (void)snprintf(code, sizeof(code), "%s",
                   driver_read_text(json_object_get(answer, "you"), "recovery"));
    assert_true(strlen(code) > 0);
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'telnet':true}}");
    connect_over_transport(driver, BOB, "telnet");
    assert_null(driver_request(
        driver, BOB, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}", code));
    driver_pass_time(driver, driver->config.door_denial_ms);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "no"), "code"),
                        "denied");
    driver_pass_time(driver, 1000);
    connect_over_transport(driver, EVE, "ssh");
    driver_ok(driver, EVE, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}",
              code);
}

TEST_GROUP(telnet)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(guests_may_use_telnet),
        DRIVER_TEST(an_account_made_over_ssh_may_use_telnet_once_its_owner_allows_that),
        DRIVER_TEST(a_wrong_password_does_not_reveal_whether_telnet_is_switched_on),
        DRIVER_TEST(an_account_made_over_telnet_may_use_ssh_and_telnet),
        DRIVER_TEST(staff_cannot_use_telnet),
        DRIVER_TEST(a_key_does_not_sign_in_over_telnet),
        DRIVER_TEST(no_password_can_be_changed_over_telnet),
        DRIVER_TEST(no_recovery_code_is_accepted_over_telnet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
