#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests what the house writes to its log. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"

struct journal {
    char text[32768];
    size_t len;
};

/* Adds a line "event key=value …" to the journal. */
static void keep_log_line(void *context, int64_t conn, const char *event, const char *const *pairs)
{
    struct journal *journal = context;
    char *const end = journal->text + sizeof(journal->text);
    char *at = journal->text + journal->len;
    assert_true(conn >= DRIVER_FIRST);
    at += snprintf(at, (size_t)(end - at), "%s", event);
    for (; pairs[0] != NULL; pairs += 2) {
        if (pairs[1] != NULL) {
            at += snprintf(at, (size_t)(end - at), " %s=%s", pairs[0], pairs[1]);
        }
    }
    at += snprintf(at, (size_t)(end - at), "\n");
    assert_true(at < end);
    journal->len = (size_t)(at - journal->text);
}

static void expect_logged(const struct journal *journal, const char *words)
{
    if (strstr(journal->text, words) == NULL) {
        fail_msg("\"%s\" is not in\n%s", words, journal->text);
    }
}

static void expect_not_logged(const struct journal *journal, const char *secret)
{
    assert_true(secret[0] != '\0');
    if (strstr(journal->text, secret) != NULL) {
        fail_msg("\"%s\" is in\n%s", secret, journal->text);
    }
}

static void restart_house_with_journal(struct driver *driver, struct journal *journal)
{
    driver->config.log = keep_log_line;
    driver->config.log_context = journal;
    driver_restart_core(driver);
}

static void send_hello(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

/* Sends a sign-in that is refused, and waits until its delayed answer has come. */
static void fail_to_sign_in(struct driver *driver, int64_t conn, const char *message)
{
    (void)driver_request(driver, conn, "%s", message);
    driver_pass_time(driver, 400);
}

static void every_sign_in_and_every_failure_is_logged(void **state)
{
    static struct journal journal;
    struct driver *driver = *state;
    restart_house_with_journal(driver, &journal);
    driver_sign_up(driver, ADA, "ada");
    expect_logged(&journal, "sign-up account=ada method=password held=no");
    driver_enter_as_guest(driver, BOB);
    expect_logged(&journal, "sign-in method=guest account=guest-1");
    send_hello(driver, EVE);
    fail_to_sign_in(driver, EVE,
                    "{'t':'sign_in','method':'password','name':'ada','password':'hunter2hunter2'}");
    expect_logged(&journal, "denied method=password account=ada why=denied");
    fail_to_sign_in(driver, EVE,
                    "{'t':'sign_in','method':'password','name':'ada','password':'hunter2hunter2'}");
    expect_logged(&journal, "denied method=password account=ada why=wait");
    driver_pass_time(driver, 4000);
    fail_to_sign_in(driver, EVE,
                    "{'t':'sign_in','method':'password','name':'my pass phrase','password':'x'}");
    expect_logged(&journal, "denied method=password why=denied");
    fail_to_sign_in(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    expect_logged(&journal, "denied method=key account=ada why=denied");
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
    expect_logged(&journal, "sign-in method=password account=ada");
    expect_not_logged(&journal, "password of ada");
    expect_not_logged(&journal, "hunter2");
    expect_not_logged(&journal, "my pass phrase");
}

static void no_code_secret_or_chat_text_is_logged(void **state)
{
    static struct journal journal;
    struct driver *driver = *state;
    char recovery[64], key_code[64], secret[64], code[DRIVER_CODE_SIZE];
    restart_house_with_journal(driver, &journal);
    send_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    (void)snprintf(recovery, sizeof(recovery), "%s",
                   driver_read_text(json_object_get(answer, "you"), "recovery"));
    driver_sign_up(driver, BOB, "bob");
    (void)snprintf(key_code, sizeof(key_code), "%s",
                   driver_read_text(driver_ok(driver, ADA, "{'t':'key_add'}"), "code"));
    driver_ok(driver, ADA, "{'t':'password_set','password':'a new password'}");
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'step_up','password':'a new password'}");
    (void)snprintf(secret, sizeof(secret), "%s",
                   driver_read_text(driver_ok(driver, ADA, "{'t':'totp_begin'}"), "secret"));
    driver_ok(driver, ADA, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'meet me at noon'}");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'hello all'}");
    send_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}",
              recovery);
    expect_logged(&journal, "key-code account=ada");
    expect_logged(&journal, "password-set account=ada");
    expect_logged(&journal, "step-up account=ada method=password");
    expect_logged(&journal, "totp-on account=ada");
    expect_logged(&journal, "sign-in method=recovery account=ada");
    const char *const secrets[] = {recovery,         key_code, secret,     code,
                                   "a new password", "noon",   "hello all"};
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        expect_not_logged(&journal, secrets[i]);
    }
}

TEST_GROUP(journal)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(every_sign_in_and_every_failure_is_logged),
        DRIVER_TEST(no_code_secret_or_chat_text_is_logged),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
