#include "tests/e2e/house.h"
#include "tests/unit.h"

#include <string.h>

/* Settings in the file take effect in the supervisor, the gate (also after its renewal), the
 * sessions and the core. */

static const char settings[] = "[door]\n"
                               "tries = 2\n"
                               "key_exchange_s = 2\n"
                               "login_s = 5\n"
                               "backoff_max_s = 1\n"
                               "[accounts]\n"
                               "password_min = 14\n";

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, settings);
    *state = &house;
    return 0;
}

static void a_connection_ends_after_the_allowed_number_of_sign_in_attempts(void **state)
{
    const struct connect_setup setup = {.user = "mira"};
    struct terminal *mira = house_connect_by_ssh(*state, &setup);
    terminal_expect(mira, "Password:");
    terminal_type(mira, "not the password\r");
    while (strstr(terminal_read_text(mira), "Password:\n(mira@127.0.0.1) Password:") == NULL) {
        assert_true(terminal_read(mira, TERMINAL_DEADLINE_MS));
    }
    terminal_type(mira, "nor this one\r");
    assert_int_equal(terminal_wait_for_end(mira), 255); /* ssh itself would allow a third attempt */
    terminal_free(mira);
    mira = house_connect_by_telnet(*state, &setup);
    terminal_expect(mira, "Your name");
    terminal_type(mira, "vera\r");
    terminal_expect(mira, "Password:");
    terminal_type(mira, "not the password\r");
    terminal_expect(mira, "That was not right.");
    terminal_type(mira, "nora\r");
    terminal_expect(mira, "Password:");
    terminal_type(mira, "nor this one\r");
    terminal_expect(mira, "Signing in has failed.");
    terminal_free(mira);
}

static void a_sign_in_that_takes_too_long_is_ended(void **state)
{
    const struct connect_setup setup = {0};
    struct terminal *late = house_connect_by_telnet(*state, &setup);
    terminal_expect(late, "Signing in took too long.");
    terminal_free(late);
}

static void a_newcomer_is_told_how_long_a_password_must_be(void **state)
{
    const struct connect_setup setup = {.user = "nova"};
    struct terminal *nova = house_connect_by_ssh(*state, &setup);
    terminal_expect(nova, "Password:");
    terminal_type(nova, "\r");
    terminal_expect(nova, "Choose a name:");
    terminal_type(nova, "\r");
    terminal_expect(nova, "At least 14 characters");
    terminal_type(nova, "thirteenbytes\r");
    terminal_expect(nova, "A password has 14 to 128 characters");
    terminal_free(nova);
}

TEST_GROUP(settings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_connection_ends_after_the_allowed_number_of_sign_in_attempts),
        cmocka_unit_test(a_sign_in_that_takes_too_long_is_ended),
        cmocka_unit_test(a_newcomer_is_told_how_long_a_password_must_be),
    };
    return cmocka_run_group_tests_name("settings", tests, open_house, house_tear_down);
}
