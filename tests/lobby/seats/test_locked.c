#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* After a wrong guess of a table's password, the person must wait before the next guess. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define GUEST (DRIVER_FIRST + 3)

/* Opens a table hosted by Ada with the password "sesame"; Bob and Eve are in the lobby. */
static int64_t open_locked_table(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up_from(driver, BOB, "bob", "192.0.2.7");
    driver_sign_up_from(driver, EVE, "eve", "2001:db8:1:2::8");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'table_lock','password':'sesame'}");
    return table;
}

static const json_t *guess_password(struct driver *driver, int64_t conn, int64_t table,
                                    const char *password)
{
    return driver_request(driver, conn, "{'t':'table_enter','table':%" PRId64 ",'password':'%s'}",
                          table, password);
}

/* Checks that the answer says that the password was wrong. */
static void assert_answer_says_wrong_password(const json_t *answer)
{
    assert_string_equal(driver_read_text(answer, "code"), "locked");
}

static void assert_must_wait(const json_t *answer, int64_t wait_s)
{
    assert_string_equal(driver_read_text(answer, "code"), "wait");
    assert_int_equal(driver_read_number(answer, "wait_s"), wait_s);
}

static void each_wrong_guess_doubles_only_the_guessers_delay(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    for (int64_t wait_s = 1; wait_s <= 32; wait_s *= 2) {
        assert_answer_says_wrong_password(guess_password(driver, EVE, table, "open"));
        assert_must_wait(guess_password(driver, EVE, table, "open up"), wait_s);
        assert_must_wait(guess_password(driver, EVE, table, "sesame"), wait_s);
        driver_pass_time(driver, wait_s * 1000);
    }
    assert_string_equal(driver_read_text(guess_password(driver, BOB, table, "sesame"), "t"), "ok");
    assert_string_equal(driver_read_text(guess_password(driver, EVE, table, "sesame"), "t"), "ok");
}

static void entering_without_a_password_is_not_a_guess(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    for (int i = 0; i < 5; i++) {
        driver_no(driver, EVE, "locked", "{'t':'table_enter','table':%" PRId64 "}", table);
    }
    assert_string_equal(driver_read_text(guess_password(driver, EVE, table, "sesame"), "t"), "ok");
}

static void reconnecting_or_a_guest_name_or_a_restart_does_not_end_the_password_delay(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    for (int i = 0; i < 8; i++) {
        assert_answer_says_wrong_password(guess_password(driver, EVE, table, "open"));
        driver_pass_time(driver, i < 7 ? 1000 << i : 0);
    }
    driver_disconnect(driver, EVE);
    driver_sign_in(driver, EVE, "eve");
    assert_must_wait(guess_password(driver, EVE, table, "sesame"), 128);
    driver_enter_as_guest_from(driver, GUEST, "2001:db8:1:2:ffff::9");
    assert_must_wait(guess_password(driver, GUEST, table, "sesame"), 128);
    driver_disconnect(driver, GUEST);
    driver_restart_core(driver);
    driver_enter_as_guest_from(driver, GUEST, "2001:db8:1:2::10");
    assert_string_equal(driver_read_text(guess_password(driver, GUEST, table, "sesame"), "code"),
                        "wait");
    driver_disconnect(driver, GUEST);
    driver_enter_as_guest_from(driver, GUEST, "2001:db8:1:3::10");
    assert_string_equal(driver_read_text(guess_password(driver, GUEST, table, "sesame"), "t"),
                        "ok");
}

static void an_account_is_not_delayed_by_others_guesses_from_the_same_network(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    driver_enter_as_guest_from(driver, GUEST, "192.0.2.7");
    assert_answer_says_wrong_password(guess_password(driver, GUEST, table, "open"));
    assert_must_wait(guess_password(driver, GUEST, table, "sesame"), 1);
    assert_string_equal(driver_read_text(guess_password(driver, BOB, table, "sesame"), "t"), "ok");
}

/* The decomposed password would be too long, but the composed one, which counts, is not. */
static void a_tables_password_is_the_same_in_every_form_of_unicode(void **state)
{
    struct driver *driver = *state;
    char composed[128] = "";
    char decomposed[128] = "";
    int64_t table = open_locked_table(driver);
    for (size_t i = 0; i < 30; i++) {
        strcat(composed, "\u00fc");
        strcat(decomposed, "u\u0308");
    }
    driver_ok(driver, ADA, "{'t':'table_lock','password':'%s'}", decomposed);
    assert_string_equal(driver_read_text(guess_password(driver, BOB, table, composed), "t"), "ok");
    assert_string_equal(driver_read_text(guess_password(driver, EVE, table, decomposed), "t"),
                        "ok");
    driver_no(driver, ADA, "password_bad", "{'t':'table_lock','password':'%s%s'}", composed,
              composed);
}

static void a_password_delay_applies_to_one_table_only(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    int64_t other = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_lock','password':'sesame'}");
    assert_answer_says_wrong_password(guess_password(driver, EVE, table, "open"));
    assert_string_equal(driver_read_text(guess_password(driver, EVE, other, "sesame"), "t"), "ok");
}

TEST_GROUP(locked)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(each_wrong_guess_doubles_only_the_guessers_delay),
        DRIVER_TEST(entering_without_a_password_is_not_a_guess),
        DRIVER_TEST(reconnecting_or_a_guest_name_or_a_restart_does_not_end_the_password_delay),
        DRIVER_TEST(an_account_is_not_delayed_by_others_guesses_from_the_same_network),
        DRIVER_TEST(a_tables_password_is_the_same_in_every_form_of_unicode),
        DRIVER_TEST(a_password_delay_applies_to_one_table_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
