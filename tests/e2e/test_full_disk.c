#include "tests/e2e/guests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/resource.h>

/* The core may write no more: to it the disk is full. */
static void set_room(const struct house_fixture *house, bool is_there)
{
    const pid_t core = house_process(house, "core");
    struct rlimit limit;
    assert_int_equal(prlimit(core, RLIMIT_FSIZE, NULL, &limit), 0);
    limit.rlim_cur = is_there ? limit.rlim_max : 1;
    assert_int_equal(prlimit(core, RLIMIT_FSIZE, &limit, NULL), 0);
}

static void people_look_around_while_the_disk_is_full_and_go_on_when_it_is_not(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_enter(house);
    struct terminal *bob = guests_enter(house);
    const pid_t core = house_process(house, "core");
    guests_say(ada, bob, "said with room");
    set_room(house, false);
    terminal_type(ada, "csaid without\r");
    terminal_expect(ada, "The disk is full");
    terminal_expect(bob, "The disk is full");
    assert_true(terminal_shows(bob, "said with room"));
    assert_false(terminal_shows(bob, "said without"));
    terminal_type(ada, "\x1b");
    set_room(house, true);
    terminal_expect(ada, "The disk was full for a while");
    terminal_expect(bob, "The disk was full for a while");
    guests_say(bob, ada, "room again");
    assert_int_equal(house_process(house, "core"), core);
    terminal_free(ada);
    terminal_free(bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            people_look_around_while_the_disk_is_full_and_go_on_when_it_is_not, house_set_up,
            house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
