#include "tests/daemon/screens/driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static const char account[] =
    "{\"you\":{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"
    "\"settings\":{},\"is_new\":true}}";

static struct driver *start_sign_up(bool has_key, const char *suggested_name)
{
    struct driver_setup setup = {
        .is_unregistered = true, .has_key = has_key, .suggested_name = suggested_name};
    return driver_new(&setup);
}

static const char *get_field_of_request(const struct driver *driver, const char *type,
                                        const char *key)
{
    return json_string_value(json_object_get(driver_find_request(driver, type), key));
}

/* Types a name, and answers that it is free. */
static void choose_name(struct driver *driver, const char *name)
{
    driver_type(driver, name);
    while (driver_find_request(driver, "name_check") != NULL) {
        driver_answer(driver, "name_check", NULL);
    }
    driver_expect(driver, "The name is free");
    driver_type(driver, "\r");
}

static void signing_up_leads_to_a_game_against_bots(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    driver_expect(driver, "Choose a name:");
    driver_expect(driver, "of an invitation or of /key add?");
    driver_expect_not(driver, "…");
    choose_name(driver, "ada");
    driver_expect(driver, "Choose a password:");
    driver_type(driver, "correct horse\r");
    driver_expect(driver, "once more");
    driver_type(driver, "correct horse\r");
    assert_string_equal(get_field_of_request(driver, "sign_up", "name"), "ada");
    assert_string_equal(get_field_of_request(driver, "sign_up", "password"), "correct horse");
    driver_answer(driver, "sign_up", account);
    driver_expect(driver, "Welcome, ada");
    driver_expect(driver, "a game against bots now");
    driver_type(driver, "\r");
    driver_refuse(driver, "games", "off", "Not now.");
    driver_expect(driver, "Play against bots");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "quick", "game"), "suppose");
    driver_free(driver);
}

static void a_code_shown_on_another_machine_adds_the_key_and_signs_in(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(true, "");
    driver_expect(driver, "of an invitation or of /key add?");
    driver_type(driver, "BCDF-GHJK");
    driver_expect(driver, "A code: Enter uses it.");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "code_use", "code"), "BCDF-GHJK");
    driver_refuse(driver, "code_use", "code_bad", "That code is wrong.");
    driver_expect(driver, "That code is wrong.");
    driver_expect(driver, "Choose a name:");
    driver_type(driver, "BCDFGHJK\r");
    driver_answer(driver, "code_use", account);
    driver_expect(driver, "opens your account from now on");
    driver_expect(driver, "#lobby");
    driver_free(driver);
}

static void an_invitation_leads_to_the_question_for_a_name(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    driver_type(driver, "BCDF-GHJK\r");
    driver_answer(driver, "code_use", "{\"result\":\"invited\"}");
    driver_expect(driver, "You are invited: choose a name.");
    choose_name(driver, "ada");
    driver_expect(driver, "Choose a password:");
    driver_free(driver);
}

static void the_recovery_code_is_shown_once(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(true, "ada");
    driver_answer(driver, "name_check", NULL);
    driver_type(driver, "\r\r");
    driver_answer(
        driver, "sign_up",
        "{\"you\":{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\",\"settings\":{},"
        "\"recovery\":\"BCDF-GHJK-MNPQ-RSTV\",\"is_recovered\":false}}");
    driver_expect(driver, "Write this down: BCDF-GHJK-MNPQ-RSTV");
    driver_type(driver, "l");
    driver_type(driver, "/settings\r");
    driver_expect(driver, "Sample");
    driver_expect_not(driver, "recovery code");
    driver_free(driver);
}

static void signing_in_with_a_recovery_code_asks_for_a_new_password(void **state)
{
    (void)state;
    struct driver_setup setup = {
        .you = "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"
               "\"settings\":{},\"recovery\":\"BCDF-GHJK-MNPQ-RSTV\",\"is_recovered\":true}"};
    struct driver *driver = driver_new(&setup);
    driver_expect(driver, "New password:");
    driver_expect(driver, "Write down the new one:");
    driver_expect(driver, "BCDF-GHJK-MNPQ-RSTV");
    driver_type(driver, "battery staple\rbattery staple\r");
    assert_string_equal(get_field_of_request(driver, "password_set", "password"), "battery staple");
    assert_null(get_field_of_request(driver, "password_set", "old"));
    driver_answer(driver, "password_set", NULL);
    driver_expect(driver, "Write down the new one:");
    driver_expect(driver, "BCDF-GHJK-MNPQ-RSTV");
    driver_type(driver, "/password\r");
    driver_expect(driver, "Current password:");
    driver_free(driver);
}

static void an_ssh_key_is_enough_to_sign_up(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(true, "ada");
    driver_answer(driver, "name_check", NULL);
    driver_type(driver, "\r");
    driver_expect(driver, "Enter alone: none");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "sign_up", "name"), "ada");
    assert_null(json_object_get(driver_find_request(driver, "sign_up"), "password"));
    driver_answer(driver, "sign_up", account);
    driver_type(driver, "l");
    driver_expect(driver, "#lobby");
    driver_expect(driver, "ada");
    driver_free(driver);
}

static void signing_up_without_an_ssh_key_needs_a_password(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    choose_name(driver, "ada");
    driver_type(driver, "\r");
    assert_null(driver_find_request(driver, "sign_up"));
    driver_expect(driver, "A password has 10 to 128 characters");
    driver_free(driver);
}

static void after_two_different_passwords_both_are_asked_for_again(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    choose_name(driver, "ada");
    driver_type(driver, "correct horse\rcorrect house\r");
    assert_null(driver_find_request(driver, "sign_up"));
    driver_expect(driver, "The passwords differ");
    driver_expect(driver, "Choose a password:");
    driver_free(driver);
}

static void a_password_is_never_shown(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    choose_name(driver, "ada");
    driver_type(driver, "hunter2hunter2");
    driver_expect_not(driver, "hunter2");
    driver_expect(driver, "••••••••••••••");
    driver_free(driver);
}

static void an_invalid_name_is_refused_while_it_is_typed(void **state)
{
    (void)state;
    const struct {
        const char *name, *why;
    } names[] = {{"9lives", "begins with a letter"},
                 {"a b", "A name has only letters"},
                 {"a", "at least 2"},
                 {"abcdefghijklmnopq", "at most 16"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct driver *driver = start_sign_up(false, "");
        driver_type(driver, names[i].name);
        driver_expect(driver, names[i].why);
        driver_type(driver, "\r");
        driver_expect(driver, "Choose a name:");
        driver_free(driver);
    }
}

static void capitals_in_a_name_become_small_letters(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    driver_type(driver, "Mira");
    const json_t *asked = driver_find_request(driver, "name_check");
    assert_non_null(asked);
    assert_string_equal(json_string_value(json_object_get(asked, "name")), "mira");
    driver_answer(driver, "name_check", NULL);
    driver_expect(driver, "The name is free: Enter makes you mira.");
    driver_type(driver, "\rhunter2hunter2\rhunter2hunter2\r");
    const json_t *sent = driver_find_request(driver, "sign_up");
    assert_non_null(sent);
    assert_string_equal(json_string_value(json_object_get(sent, "name")), "mira");
    driver_free(driver);
}

static void a_taken_name_is_refused_with_the_cores_sentence(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "mira");
    driver_refuse(driver, "name_check", "name_taken", "Somebody has that name: try another.");
    driver_expect(driver, "Somebody has that name");
    driver_type(driver, "\r");
    driver_expect(driver, "Choose a name:");
    driver_type(driver, "2");
    driver_answer(driver, "name_check", NULL);
    driver_expect(driver, "The name is free");
    driver_free(driver);
}

static void if_somebody_else_takes_the_name_meanwhile_another_is_asked_for(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(true, "ada");
    driver_answer(driver, "name_check", NULL);
    driver_type(driver, "\r\r");
    driver_refuse(driver, "sign_up", "name_taken", "Somebody was quicker: try another.");
    driver_expect(driver, "Somebody was quicker");
    driver_expect(driver, "Choose a name: ada");
    driver_free(driver);
}

static void an_unregistered_person_can_leave_but_not_chat(void **state)
{
    (void)state;
    struct driver *driver = start_sign_up(false, "");
    driver_type(driver, "\033\033\033");
    assert_false(driver_is_session_over(driver));
    driver_type(driver, "\003");
    assert_true(driver_is_session_over(driver));
    assert_null(driver_find_request(driver, "say"));
    assert_non_null(strstr(driver_end_session(driver), "Goodbye"));
    driver_free(driver);
}

TEST_GROUP(sign_up)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signing_up_leads_to_a_game_against_bots),
        cmocka_unit_test(a_code_shown_on_another_machine_adds_the_key_and_signs_in),
        cmocka_unit_test(an_invitation_leads_to_the_question_for_a_name),
        cmocka_unit_test(the_recovery_code_is_shown_once),
        cmocka_unit_test(signing_in_with_a_recovery_code_asks_for_a_new_password),
        cmocka_unit_test(an_ssh_key_is_enough_to_sign_up),
        cmocka_unit_test(signing_up_without_an_ssh_key_needs_a_password),
        cmocka_unit_test(after_two_different_passwords_both_are_asked_for_again),
        cmocka_unit_test(a_password_is_never_shown),
        cmocka_unit_test(an_invalid_name_is_refused_while_it_is_typed),
        cmocka_unit_test(capitals_in_a_name_become_small_letters),
        cmocka_unit_test(a_taken_name_is_refused_with_the_cores_sentence),
        cmocka_unit_test(if_somebody_else_takes_the_name_meanwhile_another_is_asked_for),
        cmocka_unit_test(an_unregistered_person_can_leave_but_not_chat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
