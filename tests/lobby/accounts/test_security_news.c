#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Each change of an account's keys, password, authenticator, recovery code or role is announced to
 * the account's other connections, or once at the next sign-in. */

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:xyz'}"
#define VISITOR (LATER + 1)

static void confirm_eves_identity(struct driver *driver)
{
    driver_ok(driver, EVE, "{'t':'step_up','password':'password of eve'}");
}

/* Somebody whose key belongs to no account types Eve's code, which adds the key to Eve's
 * account. */
static void add_key_to_eve(struct driver *driver)
{
    char code[32];
    confirm_eves_identity(driver);
    const json_t *answer = driver_ok(driver, EVE, "{'t':'key_add'}");
    (void)snprintf(code, sizeof code, "%s", driver_read_text(answer, "code"));
    driver_disconnect(driver, EVE);
    driver_connect_session(driver, VISITOR);
    driver_ok(driver, VISITOR, "{'t':'sign_in','method':'key','name':'new'," KEY "}");
    driver_ok(driver, VISITOR, "{'t':'code_use','code':'%s'}", code);
    assert_int_equal(driver_count_messages_with_words(driver, VISITOR, "notice", "SHA256:xyz"), 0);
    driver_disconnect(driver, VISITOR);
    /* A sign-in with the new key itself must not count as having told the owner about the key. */
    driver_connect_session(driver, VISITOR);
    driver_ok(driver, VISITOR, "{'t':'sign_in','method':'key','name':'eve'," KEY "}");
    driver_disconnect(driver, VISITOR);
}

static void remove_eves_key(struct driver *driver)
{
    struct storage_account account;
    const struct storage_key key = {.fingerprint = "SHA256:xyz", .type = "ssh-ed25519"};
    assert_int_equal(storage_account_by_name(driver->storage, "eve", &account), STORAGE_OK);
    assert_int_equal(storage_key_add(driver->storage, account.id, &key), STORAGE_OK);
    confirm_eves_identity(driver);
    driver_ok(driver, EVE, "{'t':'key_remove','key':'1'}");
}

static void set_eves_password(struct driver *driver)
{
    driver_ok(driver, EVE,
              "{'t':'password_set','old':'password of eve','password':'password of eve'}");
}

static void set_up_eves_authenticator(struct driver *driver)
{
    char secret[64], code[DRIVER_CODE_SIZE];
    confirm_eves_identity(driver);
    const json_t *answer = driver_ok(driver, EVE, "{'t':'totp_begin'}");
    (void)snprintf(secret, sizeof secret, "%s", driver_read_text(answer, "secret"));
    driver_ok(driver, EVE, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
}

static void remove_eves_authenticator(struct driver *driver)
{
    set_up_eves_authenticator(driver);
    driver_ok(driver, EVE, "{'t':'totp_end'}");
}

static void make_recovery_code_for_eve(struct driver *driver)
{
    driver_disconnect(driver, EVE);
    order_ok(driver, ADA, "recover eve");
}

static void make_eve_moderator(struct driver *driver)
{
    driver_disconnect(driver, EVE);
    order_ok(driver, ADA, "role eve mod she is kind");
}

static void declare_eve_a_bot(struct driver *driver)
{
    driver_disconnect(driver, EVE);
    order_ok(driver, ADA, "program eve on it plays by itself");
}

static void merge_bobs_account_into_eves(struct driver *driver)
{
    driver_disconnect(driver, EVE);
    driver_disconnect(driver, BOB);
    order_ok(driver, ADA, "yes merge bob eve the same person");
}

static const struct change {
    void (*make)(struct driver *driver);
    const char *words;
} changes[] = {
    {add_key_to_eve, "The key SHA256:xyz opens your account from now on"},
    {remove_eves_key, "The key SHA256:xyz no longer opens your account"},
    {set_eves_password, "The password of your account was changed"},
    {set_up_eves_authenticator, "codes of an authenticator confirm who you are"},
    {remove_eves_authenticator, "Codes of your authenticator are no longer valid"},
    {make_recovery_code_for_eve, "has made a code that opens your account"},
    {make_eve_moderator, "Your role is mod now"},
    {declare_eve_a_bot, "Your account is a program's"},
    {merge_bobs_account_into_eves, "bob is part of your account now"},
};

/* Signs Eve in and counts the notices shown to her that contain `words`. */
static size_t count_notices_at_sign_in(struct driver *driver, int64_t conn, const char *words)
{
    driver_clear_inbox(driver, conn);
    order_sign_in(driver, conn, "eve", "192.0.2.8", NULL);
    return driver_count_messages_with_words(driver, conn, "notice", words);
}

static void a_security_notice_nobody_read_is_shown_once_at_the_next_sign_in(void **state)
{
    struct driver *driver = *state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        print_message("%s\n", changes[i].words);
        changes[i].make(driver);
        assert_int_equal(driver_count_messages_with_words(driver, EVE, "notice", changes[i].words),
                         0);
        driver_restart_core(driver);
        assert_int_equal(count_notices_at_sign_in(driver, LATER, changes[i].words), 1);
        driver_disconnect(driver, LATER);
        assert_int_equal(count_notices_at_sign_in(driver, LATER, changes[i].words), 0);
        assert_int_equal(driver_teardown(state), 0);
        assert_int_equal(order_setup(state), 0);
        driver = *state;
    }
}

static void a_notice_shown_on_another_connection_is_not_shown_at_the_next_sign_in(void **state)
{
    struct driver *driver = *state;
    assert_int_equal(count_notices_at_sign_in(driver, LATER, "password"), 0);
    set_eves_password(driver);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "notice", "was changed"), 0);
    assert_int_equal(driver_count_messages_with_words(driver, LATER, "notice", "was changed"), 1);
    driver_disconnect(driver, EVE);
    assert_int_equal(count_notices_at_sign_in(driver, EVE, "was changed"), 0);
}

static void a_notice_sent_to_a_program_or_a_query_is_still_shown_at_the_next_sign_in(void **state)
{
    struct driver *driver = *state;
    driver_disconnect(driver, EVE);
    order_ok(driver, ADA, "recover eve");
    driver_connect_session(driver, LATER);
    driver_ok(driver, LATER,
              "{'t':'sign_in','method':'password','name':'eve','password':'password of eve',"
              "'asks':true}");
    driver_ok(driver, LATER, "{'t':'come_in','as':'program'}");
    assert_int_equal(driver_count_messages_with_words(driver, LATER, "notice", "has made a code"),
                     0);
    assert_int_equal(count_notices_at_sign_in(driver, EVE, "has made a code"), 1);
}

TEST_GROUP(security_news)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_security_notice_nobody_read_is_shown_once_at_the_next_sign_in),
        ORDER_TEST(a_notice_shown_on_another_connection_is_not_shown_at_the_next_sign_in),
        ORDER_TEST(a_notice_sent_to_a_program_or_a_query_is_still_shown_at_the_next_sign_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
