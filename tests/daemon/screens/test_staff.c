#include "tests/daemon/screens/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Commands of moderators and admins, and being asked who one is. */

static const char question[] = "Confirm it is you. Your password:";

#define YOU(role, has_password)                                                                    \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"" role "\",\"has_password\":" has_password  \
    ",\"settings\":{},\"is_new\":false}"

static struct driver *lobby_as(const char *you, bool is_telnet)
{
    struct driver_setup setup = {.you = you, .is_telnet = is_telnet};
    struct driver *driver = driver_new(&setup);
    samples_lobby(driver);
    return driver;
}

static struct driver *lobby(void)
{
    return lobby_as(YOU("admin", "true"), false);
}

static const char *field(const struct driver *driver, const char *type, const char *key)
{
    return json_string_value(json_object_get(driver_sent(driver, type), key));
}

static void a_command_that_wants_it_asks_for_the_password_and_is_then_done(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "release", "step_up", "Confirm first that it is you.");
    driver_expect(driver, question);
    driver_type(driver, "correct horse");
    driver_expect_not(driver, "correct");
    driver_type(driver, "\r");
    assert_string_equal(field(driver, "step_up", "password"), "correct horse");
    assert_null(driver_sent(driver, "release"));
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_string_equal(field(driver, "release", "name"), "bob");
    driver_answer(driver, "release", NULL);
    driver_expect(driver, "Released");
    driver_free(driver);
}

static void the_password_is_in_no_line_that_comes_back(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/held\r");
    driver_refuse(driver, "held", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_answer(driver, "held", "{\"accounts\":[],\"is_more\":false}");
    driver_type(driver, "c\033[A");
    driver_expect(driver, "> /held");
    driver_type(driver, "\033[A");
    driver_expect_not(driver, "horse");
    driver_free(driver);
}

static void a_wrong_password_is_asked_for_again(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "release", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct house\r");
    driver_refuse(driver, "step_up", "denied", "That is not right: try again.");
    driver_expect(driver, "That is not right");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_string_equal(field(driver, "release", "name"), "bob");
    driver_free(driver);
}

static void giving_up_does_nothing(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "release", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct\033");
    driver_wait(driver, 100);
    driver_expect(driver, "Not confirmed: nothing was done.");
    assert_null(driver_sent(driver, "step_up"));
    driver_type(driver, "/confirm\r");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_expect(driver, "Confirmed, for 10 minutes.");
    assert_null(driver_sent(driver, "release"));
    driver_free(driver);
}

static void only_one_command_waits_for_the_password(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/release bob\r/held\r");
    driver_refuse(driver, "release", "step_up", "Confirm first that it is you.");
    driver_refuse(driver, "held", "step_up", "Confirm first that it is you.");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_non_null(driver_sent(driver, "release"));
    assert_null(driver_sent(driver, "held"));
    driver_free(driver);
}

static void who_has_only_a_key_is_told_what_to_do(void **state)
{
    (void)state;
    struct driver *driver = lobby_as(YOU("mod", "false"), false);
    driver_type(driver, "/held\r");
    driver_refuse(driver, "held", "no_secret",
                  "A key alone is not enough for that: choose a /password first.");
    driver_expect(driver, "choose a /password first");
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "There is nothing to confirm with");
    driver_push(driver, "{\"t\":\"you\",\"you\":" YOU("mod", "true") "}");
    driver_type(driver, "/confirm\r");
    driver_expect(driver, question);
    driver_free(driver);
}

static void nobody_is_asked_by_telnet(void **state)
{
    (void)state;
    struct driver *driver = lobby_as(YOU("mod", "true"), true);
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "Not by telnet");
    driver_free(driver);
}

static void registration_is_shown_and_changed(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/registration\r");
    driver_answer(driver, "registration", "{\"state\":\"open\"}");
    driver_expect(driver, "Registration is open");
    driver_type(driver, "/registration hold\r");
    assert_string_equal(field(driver, "registration_set", "state"), "hold");
    driver_answer(driver, "registration_set", "{\"state\":\"hold\"}");
    driver_expect(driver, "New accounts are held");
    driver_type(driver, "/registration closed\r");
    driver_answer(driver, "registration_set", "{\"state\":\"closed\"}");
    driver_expect(driver, "Registration is closed");
    driver_free(driver);
}

static void the_held_are_listed(void **state)
{
    (void)state;
    struct driver *driver = lobby();
    driver_type(driver, "/held\r");
    driver_answer(driver, "held", "{\"accounts\":[],\"is_more\":false}");
    driver_expect(driver, "Nobody is held.");
    driver_type(driver, "/held\r");
    driver_answer(driver, "held",
                  "{\"accounts\":[{\"name\":\"eve\",\"at\":1},{\"name\":\"zed\",\"at\":1}],"
                  "\"is_more\":false}");
    driver_expect(driver, "waiting for /release: eve (");
    driver_free(driver);
}

static void players_do_not_see_the_commands_of_staff(void **state)
{
    (void)state;
    struct driver *driver = lobby_as(YOU("player", "true"), false);
    driver_type(driver, "/regis\t");
    driver_expect(driver, "> /regis");
    driver_expect_not(driver, "> /registration");
    driver_free(driver);
    driver = lobby();
    driver_type(driver, "/regis\t");
    driver_expect(driver, "> /registration");
    driver_free(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_wants_it_asks_for_the_password_and_is_then_done),
        cmocka_unit_test(the_password_is_in_no_line_that_comes_back),
        cmocka_unit_test(a_wrong_password_is_asked_for_again),
        cmocka_unit_test(giving_up_does_nothing),
        cmocka_unit_test(only_one_command_waits_for_the_password),
        cmocka_unit_test(who_has_only_a_key_is_told_what_to_do),
        cmocka_unit_test(nobody_is_asked_by_telnet),
        cmocka_unit_test(registration_is_shown_and_changed),
        cmocka_unit_test(the_held_are_listed),
        cmocka_unit_test(players_do_not_see_the_commands_of_staff),
    };
    return cmocka_run_group_tests_name("staff", tests, NULL, NULL);
}
