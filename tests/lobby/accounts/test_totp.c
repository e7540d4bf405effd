#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests authenticators, whose codes confirm who a person is, as passwords do. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"
#define BY_KEY "{'t':'sign_in','method':'key','name':'ada'," KEY "}"
#define HELD "{'t':'held'}"
#define CONFIRM "{'t':'step_up','password':'password of ada'}"

static void connect_over_ssh(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

/* Ada is an admin because the configuration names her key; she has no password. */
static void open_house_with_key_admin(struct driver *driver)
{
    driver->config.house_first_admin = "SHA256:abc";
    driver_restart_core(driver);
    connect_over_ssh(driver, ADA);
    driver_ok(driver, ADA, BY_KEY);
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
}

static void read_authenticator_secret(const json_t *answer, char secret[40])
{
    (void)snprintf(secret, 40, "%s", driver_read_text(answer, "secret"));
    assert_int_equal(strlen(secret), 32);
    assert_int_equal(strspn(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), 32);
}

static void set_up_authenticator(struct driver *driver, int64_t conn, char secret[40])
{
    char code[DRIVER_CODE_SIZE];
    read_authenticator_secret(driver_ok(driver, conn, "{'t':'totp_begin'}"), secret);
    driver_ok(driver, conn, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
}

static const json_t *confirm_identity_with_code(struct driver *driver, int64_t conn,
                                                const char *secret, int steps_from_now)
{
    char code[DRIVER_CODE_SIZE];
    return driver_request(driver, conn, "{'t':'step_up','totp':'%s'}",
                          driver_make_authenticator_code(driver, secret, steps_from_now, code));
}

#define expect_ok(driver, answer) driver_expect((driver), (answer), NULL, __FILE__, __LINE__)
#define expect_no(driver, answer, code)                                                            \
    driver_expect((driver), (answer), (code), __FILE__, __LINE__)

static void an_account_with_only_a_key_can_set_up_and_use_an_authenticator(void **state)
{
    struct driver *driver = *state;
    char secret[40], uri[128];
    open_house_with_key_admin(driver);
    driver_no(driver, ADA, "no_secret", HELD);
    const json_t *answer = driver_ok(driver, ADA, "{'t':'totp_begin'}");
    read_authenticator_secret(answer, secret);
    (void)snprintf(uri, sizeof(uri), "otpauth://totp/Test:ada?secret=%s", secret);
    assert_string_equal(driver_read_text(answer, "uri"), uri);
    driver_no(driver, ADA, "no_secret",
              HELD); /* the authenticator is not in use before its first code is typed */
    char code[DRIVER_CODE_SIZE];
    driver_no(driver, ADA, "denied", "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 2, code));
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
    const json_t *you = json_object_get(driver_newest_message(driver, ADA, "you"), "you");
    assert_true(json_is_true(json_object_get(you, "has_totp")));
    driver_ok(driver, ADA, HELD);
}

static void the_name_of_the_house_is_percent_encoded_in_the_uri(void **state)
{
    struct driver *driver = *state;
    driver->config.house_name = "Caf\xc3\xa9 & Cards";
    open_house_with_key_admin(driver);
    const char *uri = driver_read_text(driver_ok(driver, ADA, "{'t':'totp_begin'}"), "uri");
    assert_non_null(strstr(uri, "totp/Caf%C3%A9%20%26%20Cards:ada?"));
}

static void a_used_code_and_earlier_ones_are_refused(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    open_house_with_key_admin(driver);
    set_up_authenticator(driver, ADA, secret);
    connect_over_ssh(driver, EVE);
    driver_ok(driver, EVE, BY_KEY);
    expect_no(driver, confirm_identity_with_code(driver, EVE, secret, 0),
              "denied"); /* this code was used to set up the authenticator */
    driver_pass_time(driver, 1000);
    expect_ok(driver, confirm_identity_with_code(driver, EVE, secret, 1));
    driver_ok(driver, EVE, HELD);
    expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 1), "denied");
    driver_pass_time(driver, 30000);
    expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 0),
              "denied"); /* a code of the same time step as the used one */
    driver_pass_time(driver, 2000);
    expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 2),
              "denied"); /* a code from too far in the future */
    driver_pass_time(driver, 4000);
    expect_ok(driver, confirm_identity_with_code(driver, ADA, secret, 1));
}

static void a_used_code_stays_used_after_a_restart(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    open_house_with_key_admin(driver);
    set_up_authenticator(driver, ADA, secret);
    expect_ok(driver, confirm_identity_with_code(driver, ADA, secret, 1));
    driver_restart_core(driver);
    connect_over_ssh(driver, ADA);
    driver_no(driver, ADA, "step_up", HELD);
    expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 1), "denied");
    driver_pass_time(driver, 30000);
    expect_ok(driver, confirm_identity_with_code(driver, ADA, secret, 1));
    driver_ok(driver, ADA, HELD);
}

static void wrong_codes_cause_delays_like_wrong_passwords(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    open_house_with_key_admin(driver);
    set_up_authenticator(driver, ADA, secret);
    driver_no(driver, ADA, "denied", "{'t':'step_up','totp':'000000'}");
    assert_int_equal(
        driver_read_number(
            expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 1), "wait"),
            "wait_s"),
        1);
    driver_pass_time(driver, 1000);
    driver_no(driver, ADA, "denied", "{'t':'step_up','password':'a guessed password'}");
    assert_int_equal(
        driver_read_number(
            expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 1), "wait"),
            "wait_s"),
        2);
}

static void a_password_or_an_authenticator_code_confirms_who_a_person_is(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "totp_none", "{'t':'step_up','totp':'123456'}");
    driver_ok(driver, ADA, CONFIRM);
    set_up_authenticator(driver, ADA, secret);
    driver_sign_in(driver, EVE, "ada");
    driver_no(driver, EVE, "step_up", "{'t':'totp_end'}");
    driver_ok(driver, EVE, CONFIRM);
    expect_ok(driver, confirm_identity_with_code(driver, ADA, secret, 1));
}

/* Somebody who signs in with a stolen key must not be able to set up a password or an authenticator
 * to confirm their identity with. */
static void changing_an_authenticator_requires_the_existing_password_or_code(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    driver_sign_up(driver, BOB, "bob");
    driver_no(driver, BOB, "step_up", "{'t':'totp_begin'}");
    open_house_with_key_admin(driver);
    set_up_authenticator(driver, ADA, secret);
    connect_over_ssh(driver, EVE);
    driver_ok(driver, EVE, BY_KEY);
    driver_no(driver, EVE, "step_up", "{'t':'password_set','password':'a new password'}");
    driver_no(driver, EVE, "totp_on", "{'t':'totp_begin'}");
    driver_no(driver, EVE, "step_up", "{'t':'totp_end'}");
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
}

static void codes_of_a_removed_authenticator_are_refused(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    open_house_with_key_admin(driver);
    driver_no(driver, ADA, "totp_none", "{'t':'totp_end'}");
    set_up_authenticator(driver, ADA, secret);
    driver_ok(driver, ADA, "{'t':'totp_end'}");
    expect_no(driver, confirm_identity_with_code(driver, ADA, secret, 1), "no_secret");
    driver_no(driver, ADA, "no_secret", HELD);
    driver_no(driver, ADA, "totp_none", "{'t':'totp_confirm','totp':'000000'}");
    set_up_authenticator(driver, ADA, secret);
    driver_ok(driver, ADA, HELD);
}

static void a_second_set_up_replaces_the_secret_of_the_first(void **state)
{
    struct driver *driver = *state;
    char first[40], second[40], code[DRIVER_CODE_SIZE];
    open_house_with_key_admin(driver);
    read_authenticator_secret(driver_ok(driver, ADA, "{'t':'totp_begin'}"), first);
    read_authenticator_secret(driver_ok(driver, ADA, "{'t':'totp_begin'}"), second);
    assert_string_not_equal(first, second);
    driver_no(driver, ADA, "denied", "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, first, 0, code));
}

static void guests_and_telnet_connections_have_no_authenticator(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    driver_no(driver, ADA, "guest", "{'t':'totp_begin'}");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_connect_session_from(driver, EVE, "203.0.113.7", "telnet");
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'bob','password':'password of bob'}");
    driver_no(driver, EVE, "telnet", "{'t':'totp_begin'}");
}

static void removing_an_authenticator_revokes_confirmations_made_with_its_codes(void **state)
{
    struct driver *driver = *state;
    char secret[40];
    open_house_with_key_admin(driver);
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
    driver_ok(driver, ADA, CONFIRM);
    set_up_authenticator(driver, ADA, secret);
    connect_over_ssh(driver, EVE);
    driver_ok(driver, EVE, BY_KEY);
    expect_ok(driver, confirm_identity_with_code(driver, EVE, secret, 1));
    driver_ok(driver, EVE, HELD);
    driver_ok(driver, ADA, "{'t':'totp_end'}");
    driver_no(driver, EVE, "step_up", HELD);
    driver_no(driver, ADA, "step_up", HELD);
}

TEST_GROUP(totp)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(an_account_with_only_a_key_can_set_up_and_use_an_authenticator),
        DRIVER_TEST(the_name_of_the_house_is_percent_encoded_in_the_uri),
        DRIVER_TEST(a_used_code_and_earlier_ones_are_refused),
        DRIVER_TEST(a_used_code_stays_used_after_a_restart),
        DRIVER_TEST(wrong_codes_cause_delays_like_wrong_passwords),
        DRIVER_TEST(a_password_or_an_authenticator_code_confirms_who_a_person_is),
        DRIVER_TEST(changing_an_authenticator_requires_the_existing_password_or_code),
        DRIVER_TEST(codes_of_a_removed_authenticator_are_refused),
        DRIVER_TEST(a_second_set_up_replaces_the_secret_of_the_first),
        DRIVER_TEST(guests_and_telnet_connections_have_no_authenticator),
        DRIVER_TEST(removing_an_authenticator_revokes_confirmations_made_with_its_codes),
    };
    return cmocka_run_group_tests_name("totp", tests, NULL, NULL);
}
