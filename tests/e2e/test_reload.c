#include "tests/e2e/guests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>

/* The house runs its program anew, and nobody notices. */

#define COMMAND_MAX 512

/* The exit status of `trickhouse reload`. */
static int reload(const struct house_fixture *house)
{
    char command[COMMAND_MAX];
    snprintf(command, sizeof(command), "%s reload --data %s/data", getenv("TRICKHOUSE"),
             house->folder);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void write_settings(const struct house_fixture *house, const char *settings)
{
    char path[COMMAND_MAX];
    snprintf(path, sizeof(path), "%s/data/house.conf", house->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(settings, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void everybody_stays_and_goes_on_with_another_core(void **state)
{
    struct house_fixture *house = *state;
    pid_t core = house_process(house, "core");
    pid_t gate = house_process(house, "gate");
    struct terminal *ada = guests_enter(house);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reload(house), 0);
        struct terminal *bob = guests_enter(house);
        guests_say(ada, bob, "I came before");
        guests_say(bob, ada, "I came afterwards");
        terminal_free(bob);
    }
    assert_int_not_equal(house_process(house, "core"), core);
    assert_int_equal(house_process(house, "gate"), gate);
    assert_int_equal(house_logged(house, "event=reloaded"), 3);
    terminal_free(ada);
}

static void the_settings_are_read_anew_by_core_and_gate(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_enter(house);
    write_settings(house, "[house]\nname = The Other Bell\n[door]\ntries = 1\n");
    assert_int_equal(reload(house), 0);
    terminal_expect(ada, "The Other Bell");
    const struct visit visit = {.user = "mira"};
    struct terminal *mira = house_enter(house, &visit);
    terminal_expect(mira, "Password:");
    terminal_type(mira, "not the password\r");
    assert_int_equal(terminal_wait_end(mira), 255); /* after the one try there is now */
    terminal_free(mira);
    terminal_free(ada);
}

static void what_could_not_open_a_house_does_not_end_one(void **state)
{
    struct house_fixture *house = *state;
    pid_t core = house_process(house, "core");
    struct terminal *ada = guests_enter(house);
    write_settings(house, "[house]\nnaame = The Other Bell\n");
    assert_int_equal(reload(house), 1);
    assert_int_equal(house_process(house, "core"), core);
    struct terminal *bob = guests_enter(house);
    guests_say(ada, bob, "as before");
    terminal_free(ada);
    terminal_free(bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everybody_stays_and_goes_on_with_another_core, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(the_settings_are_read_anew_by_core_and_gate, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(what_could_not_open_a_house_does_not_end_one, house_set_up,
                                        house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
