#include "tests/e2e/guests.h"

#include "games/macros.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Sessions die of signals and the gate renews itself; nobody else notices. */

/* A person connects, and their session dies of the signal. */
static void lose_one(struct house_fixture *house, int signal_number)
{
    struct terminal *unlucky = guests_enter(house);
    kill(house_newest_session(house), signal_number);
    terminal_wait_end(unlucky);
    terminal_free(unlucky);
    house->session_deaths++;
}

static void a_dying_session_renews_the_gate_and_affects_nobody_else(void **state)
{
    struct house_fixture *house = *state;
    pid_t gate = house_process(house, "gate");
    struct terminal *ada = guests_enter(house);
    lose_one(house, SIGSEGV);
    struct terminal *bob = guests_enter(house);
    guests_say(ada, bob, "I came before");
    guests_say(bob, ada, "I came afterwards");
    assert_int_equal(house_process(house, "gate"), gate);
    assert_int_equal(house_logged(house, "event=renewed renewals=1 sessions=1"), 1);
    terminal_free(ada);
    terminal_free(bob);
}

static void a_renewed_gate_hands_everyone_to_a_new_core(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_enter(house);
    lose_one(house, SIGSEGV);
    struct terminal *bob = guests_enter(house);
    kill(house_process(house, "core"), SIGKILL);
    guests_say(ada, bob, "said to the second core");
    terminal_free(ada);
    terminal_free(bob);
}

static void renewals_are_a_second_apart_however_many_sessions_die(void **state)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGSYS, SIGABRT};
    struct house_fixture *house = *state;
    struct terminal *ada = guests_enter(house);
    long began_ms = terminal_now_ms();
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        lose_one(house, signals[i]);
    }
    struct terminal *bob = guests_enter(house);
    long took_ms = terminal_now_ms() - began_ms;
    int renewals = house_logged(house, "event=renewed");
    /* A person who connects just as a session dies may still be let in and be affected by the
     * renewal. */
    assert_in_range(renewals, 1, ARRAY_LEN(signals));
    assert_true(took_ms >= (renewals - 1) * 1000L);
    guests_say(ada, bob, "still here");
    terminal_free(ada);
    terminal_free(bob);
}

/* The address at which the program is loaded in a process; 0 where that may not be read. */
static unsigned long program_start(pid_t pid)
{
    char path[64];
    unsigned long start = 0;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (maps != NULL) {
        assert_int_equal(fscanf(maps, "%lx", &start), 1);
        fclose(maps);
    }
    return start;
}

static void gate_and_core_and_renewed_gate_have_different_addresses(void **state)
{
    struct house_fixture *house = *state;
    unsigned long core = program_start(house_process(house, "core"));
    unsigned long gate = program_start(house_process(house, "gate"));
    if (core == 0) {
        skip(); /* only root may read it */
    }
    assert_int_not_equal(gate, core);
    lose_one(house, SIGSEGV);
    struct terminal *ada = guests_enter(house);
    assert_int_not_equal(program_start(house_process(house, "gate")), gate);
    terminal_free(ada);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_dying_session_renews_the_gate_and_affects_nobody_else,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_renewed_gate_hands_everyone_to_a_new_core, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(gate_and_core_and_renewed_gate_have_different_addresses,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(renewals_are_a_second_apart_however_many_sessions_die,
                                        house_set_up, house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
