#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define NEW (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define KEY_OF(fingerprint) "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:" fingerprint "'}"

static void say_hello(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

/* Signs up Ada, who can then sign in only with the key "abc". */
static void sign_up_ada(struct driver *driver)
{
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY_OF("abc") "}");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
}

/* Makes a connection that has the key "xyz" but no account. */
static void connect_with_new_key(struct driver *driver, int64_t conn)
{
    say_hello(driver, conn);
    driver_ok(driver, conn, "{'t':'sign_in','method':'key','name':'new'," KEY_OF("xyz") "}");
}

static void request_code_for_adding_key(struct driver *driver, char code[16])
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'key_add'}");
    assert_int_equal(driver_read_number(answer, "for_s"), 600);
    (void)snprintf(code, 16, "%s", driver_read_text(answer, "code"));
    assert_int_equal(strlen(code), 9);
    assert_int_equal(code[4], '-');
}

static size_t count_adas_keys(struct driver *driver)
{
    return json_array_size(json_object_get(driver_ok(driver, ADA, "{'t':'keys'}"), "keys"));
}

static void a_code_typed_on_another_machine_adds_that_machines_key_once(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    connect_with_new_key(driver, NEW);
    const json_t *answer = driver_ok(driver, NEW, "{'t':'code_use','code':'%s'}", code);
    assert_string_equal(driver_read_text(json_object_get(answer, "you"), "name"), "ada");
    assert_int_equal(count_adas_keys(driver), 2);
    driver_disconnect(driver, NEW);
    say_hello(driver, NEW);
    answer =
        driver_ok(driver, NEW, "{'t':'sign_in','method':'key','name':'ada'," KEY_OF("xyz") "}");
    assert_string_equal(driver_read_text(answer, "result"), "in");
    say_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'key','name':'eve'," KEY_OF("eve") "}");
    driver_no(driver, EVE, "code_bad", "{'t':'code_use','code':'%s'}", code);
}

static void a_code_may_be_typed_in_lower_case_and_without_its_dash(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    for (char *at = code; *at != '\0'; at++) {
        *at = *at == '-' ? ' ' : (char)(*at - 'A' + 'a');
    }
    connect_with_new_key(driver, NEW);
    driver_ok(driver, NEW, "{'t':'code_use','code':' %s'}", code);
}

static void a_code_is_invalid_after_ten_minutes_or_after_a_newer_one(void **state)
{
    struct driver *driver = *state;
    char code[16], second[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    request_code_for_adding_key(driver, second);
    assert_string_not_equal(code, second);
    connect_with_new_key(driver, NEW);
    driver_no(driver, NEW, "code_bad", "{'t':'code_use','code':'%s'}", code);
    driver_pass_time(driver, 1000 * (int64_t)driver->config.accounts_code_s);
    driver_no(driver, NEW, "code_bad", "{'t':'code_use','code':'%s'}", second);
}

static void each_wrong_code_delays_the_next_guess_longer(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    connect_with_new_key(driver, NEW);
    driver_no(driver, NEW, "code_bad", "{'t':'code_use','code':'BBBB-BBBB'}");
    driver_no(driver, NEW, "wait", "{'t':'code_use','code':'%s'}", code);
    driver_pass_time(driver, 1000);
    driver_no(driver, NEW, "code_bad", "{'t':'code_use','code':'not a code'}");
    const json_t *answer = driver_no(driver, NEW, "wait", "{'t':'code_use','code':'%s'}", code);
    assert_int_equal(driver_read_number(answer, "wait_s"), 2);
    driver_pass_time(driver, 2000);
    driver_ok(driver, NEW, "{'t':'code_use','code':'%s'}", code);
}

static void wrong_codes_are_counted_per_source_address(void **state)
{
    struct driver *driver = *state;
    for (int64_t conn = NEW; conn <= EVE; conn++) {
        char address[32];
        (void)snprintf(address, sizeof(address), "2001:db8:1:2::%d", (int)conn);
        driver_connect_session_from(driver, conn, address, "ssh");
        driver_ok(driver, conn, "{'t':'sign_in','method':'key','name':'new'," KEY_OF("xyz") "}");
    }
    driver_no(driver, NEW, "code_bad", "{'t':'code_use','code':'BBBB-BBBB'}");
    driver_no(driver, EVE, "wait", "{'t':'code_use','code':'CCCC-CCCC'}");
}

static void only_a_connection_with_a_key_can_use_a_code(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    say_hello(driver, NEW);
    driver_ok(driver, NEW, "{'t':'sign_in','method':'password','name':'new','password':''}");
    driver_no(driver, NEW, "no_key", "{'t':'code_use','code':'%s'}", code);
    assert_int_equal(count_adas_keys(driver), 1);
}

static void the_last_credential_cannot_be_removed(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    driver_no(driver, ADA, "last", "{'t':'key_remove','key':'1'}");
    request_code_for_adding_key(driver, code);
    connect_with_new_key(driver, NEW);
    driver_ok(driver, NEW, "{'t':'code_use','code':'%s'}", code);
    const json_t *answer = driver_ok(driver, ADA, "{'t':'key_remove','key':'SHA256:abc'}");
    assert_string_equal(driver_read_text(answer, "fingerprint"), "SHA256:abc");
    driver_no(driver, ADA, "last", "{'t':'key_remove','key':'1'}");
    driver_no(driver, ADA, "unknown", "{'t':'key_remove','key':'2'}");
    driver_no(driver, ADA, "unknown", "{'t':'key_remove','key':'SHA256:abc'}");
    driver_no(driver, ADA, "unknown", "{'t':'key_remove'}");
    driver_ok(driver, ADA, "{'t':'password_set','password':'correct horse'}");
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'step_up','password':'correct horse'}");
    driver_ok(driver, ADA, "{'t':'key_remove','key':'1'}");
    assert_int_equal(count_adas_keys(driver), 0);
}

/* Somebody who signs in with a key may only claim to be the account's owner: unless they enter the
 * password again, they cannot change the account's credentials. */
static void changing_credentials_of_an_account_with_a_password_requires_confirmation(void **state)
{
    static const char *const changes[] = {
        "{'t':'key_add'}",
        "{'t':'key_remove','key':'1'}",
        "{'t':'key_remove','key':'SHA256:abc'}",
        "{'t':'totp_begin'}",
        "{'t':'totp_confirm','totp':'123456'}",
    };
    struct driver *driver = *state;
    sign_up_ada(driver);
    driver_ok(driver, ADA, "{'t':'password_set','password':'correct horse'}");
    say_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," KEY_OF("abc") "}");
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        driver_no(driver, EVE, "step_up", "%s", changes[i]);
    }
    driver_no(driver, EVE, "denied", "{'t':'password_set','password':'stolen from ada'}");
    assert_int_equal(count_adas_keys(driver), 1);
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'step_up','password':'correct horse'}");
    driver_ok(driver, ADA, "{'t':'key_add'}");
    driver_no(driver, EVE, "step_up", "{'t':'key_add'}");
    driver_ok(driver, ADA, "{'t':'key_remove','key':'1'}");
}

static bool was_sent_notice_with_words(const struct driver *driver, int64_t conn, const char *words)
{
    return strstr(driver_read_text(driver_newest_message(driver, conn, "notice"), "text"), words) !=
           NULL;
}

static void adding_or_removing_a_key_notifies_the_accounts_other_connections(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    say_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," KEY_OF("abc") "}");
    request_code_for_adding_key(driver, code);
    connect_with_new_key(driver, NEW);
    driver_ok(driver, NEW, "{'t':'code_use','code':'%s'}", code);
    for (int64_t conn = ADA; conn <= EVE; conn += EVE - ADA) {
        assert_true(was_sent_notice_with_words(driver, conn, "SHA256:xyz opens your account"));
    }
    driver_ok(driver, ADA, "{'t':'key_remove','key':'SHA256:abc'}");
    for (int64_t conn = NEW; conn <= EVE; conn++) {
        assert_true(
            was_sent_notice_with_words(driver, conn, "SHA256:abc no longer opens your account"));
    }
    /* this connection learns of the removal from the answer */
    assert_false(was_sent_notice_with_words(driver, ADA, "SHA256:abc"));
}

static void neither_guests_nor_telnet_connections_can_add_or_remove_keys(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, EVE);
    driver_no(driver, EVE, "guest", "{'t':'keys'}");
    driver_no(driver, EVE, "guest", "{'t':'key_add'}");
    driver_no(driver, EVE, "guest", "{'t':'key_remove','key':'1'}");
    driver_connect_session_from(driver, NEW, "192.0.2.7", "telnet");
    driver_ok(driver, NEW, "{'t':'sign_in','method':'guest'}");
    driver_no(driver, NEW, "telnet", "{'t':'key_add'}");
    driver_no(driver, NEW, "telnet", "{'t':'key_remove','key':'1'}");
}

/* Reads the recovery code from the answer, which shows it once after a sign-up or a recovery. */
static void read_recovery_code(const json_t *answer, char code[32])
{
    (void)snprintf(code, 32, "%s", driver_read_text(json_object_get(answer, "you"), "recovery"));
    assert_int_equal(strlen(code), 19);
}

static void a_recovery_code_signs_in_once_and_lets_one_set_a_new_password(void **state)
{
    struct driver *driver = *state;
    char code[32], second[32];
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'password','name':'ada','password':''}");
    read_recovery_code(
        driver_ok(driver, ADA, "{'t':'sign_up','name':'ada','password':'correct horse'}"), code);
    say_hello(driver, NEW);
    const json_t *answer = driver_ok(
        driver, NEW, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}", code);
    assert_true(json_is_true(json_object_get(json_object_get(answer, "you"), "is_recovered")));
    read_recovery_code(answer, second);
    assert_string_not_equal(code, second);
    driver_ok(driver, NEW, "{'t':'password_set','password':'battery staple'}");
    driver_no(driver, NEW, "denied", "{'t':'password_set','password':'another one'}");
    driver_disconnect(driver, NEW);
    driver_pass_time(driver, 1000); /* the recovery code is accepted even after a wrong password */
    say_hello(driver, EVE);
    assert_null(driver_request(
        driver, EVE, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}", code));
    driver_pass_time(driver, 2000);
    say_hello(driver, NEW);
    driver_ok(driver, NEW,
              "{'t':'sign_in','method':'password','name':'ada','password':'battery staple'}");
}

static void after_a_recovery_and_a_restart_the_old_password_is_not_asked_for(void **state)
{
    struct driver *driver = *state;
    char code[32];
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'password','name':'ada','password':''}");
    read_recovery_code(
        driver_ok(driver, ADA, "{'t':'sign_up','name':'ada','password':'correct horse'}"), code);
    say_hello(driver, NEW);
    driver_ok(driver, NEW, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}",
              code);
    driver_restart_core(driver);
    say_hello(driver, NEW);
    driver_ok(driver, NEW, "{'t':'password_set','password':'battery staple'}");
    driver_restart_core(driver);
    say_hello(driver, NEW);
    driver_no(driver, NEW, "denied", "{'t':'password_set','password':'another one'}");
}

static void a_recovery_code_signs_in_to_its_own_account_only(void **state)
{
    struct driver *driver = *state;
    char code[32];
    driver_sign_up(driver, EVE, "eve");
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'password','name':'ada','password':''}");
    read_recovery_code(
        driver_ok(driver, ADA, "{'t':'sign_up','name':'ada','password':'correct horse'}"), code);
    say_hello(driver, NEW);
    assert_null(driver_request(
        driver, NEW, "{'t':'sign_in','method':'password','name':'eve','password':'%s'}", code));
}

static void a_key_is_removed_by_its_number(void **state)
{
    struct driver *driver = *state;
    char code[16];
    sign_up_ada(driver);
    request_code_for_adding_key(driver, code);
    connect_with_new_key(driver, NEW);
    driver_ok(driver, NEW, "{'t':'code_use','code':'%s'}", code);
    const json_t *keys = json_object_get(driver_ok(driver, ADA, "{'t':'keys'}"), "keys");
    assert_string_equal(driver_read_text(json_array_get(keys, 1), "fingerprint"), "SHA256:xyz");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'key_remove','key':'2'}");
    assert_string_equal(driver_read_text(answer, "fingerprint"), "SHA256:xyz");
    driver_disconnect(driver, NEW);
    say_hello(driver, NEW);
    answer =
        driver_ok(driver, NEW, "{'t':'sign_in','method':'key','name':'new'," KEY_OF("xyz") "}");
    assert_string_equal(driver_read_text(answer, "result"), "visitor");
    say_hello(driver, EVE);
    answer =
        driver_ok(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," KEY_OF("abc") "}");
    assert_string_equal(driver_read_text(answer, "result"), "in");
}

TEST_GROUP(keys)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_code_typed_on_another_machine_adds_that_machines_key_once),
        DRIVER_TEST(a_code_may_be_typed_in_lower_case_and_without_its_dash),
        DRIVER_TEST(a_code_is_invalid_after_ten_minutes_or_after_a_newer_one),
        DRIVER_TEST(each_wrong_code_delays_the_next_guess_longer),
        DRIVER_TEST(wrong_codes_are_counted_per_source_address),
        DRIVER_TEST(only_a_connection_with_a_key_can_use_a_code),
        DRIVER_TEST(the_last_credential_cannot_be_removed),
        DRIVER_TEST(changing_credentials_of_an_account_with_a_password_requires_confirmation),
        DRIVER_TEST(adding_or_removing_a_key_notifies_the_accounts_other_connections),
        DRIVER_TEST(neither_guests_nor_telnet_connections_can_add_or_remove_keys),
        DRIVER_TEST(a_recovery_code_signs_in_once_and_lets_one_set_a_new_password),
        DRIVER_TEST(after_a_recovery_and_a_restart_the_old_password_is_not_asked_for),
        DRIVER_TEST(a_recovery_code_signs_in_to_its_own_account_only),
        DRIVER_TEST(a_key_is_removed_by_its_number),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
