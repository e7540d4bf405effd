#include "tests/e2e/guests.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>

/* When a session dies of a signal, the gate renews itself (starts its program anew); nobody else
 * notices. */

/* Connects a person and kills their session with the signal. */
static void kill_new_session(struct house_fixture *house, int signal_number)
{
    struct terminal *unlucky = guests_connect(house);
    kill(house_find_newest_session(house), signal_number);
    terminal_wait_for_end(unlucky);
    terminal_free(unlucky);
    house->session_deaths++;
}

static void when_a_session_dies_the_gate_renews_itself_and_nobody_else_notices(void **state)
{
    struct house_fixture *house = *state;
    pid_t gate = house_find_process(house, "gate");
    struct terminal *ada = guests_connect(house);
    kill_new_session(house, SIGSEGV);
    struct terminal *bob = guests_connect(house);
    guests_chat(ada, bob, "I came before");
    guests_chat(bob, ada, "I came afterwards");
    assert_int_equal(house_find_process(house, "gate"), gate);
    /* bob may have come before the renewal */
    house_wait_for_log_lines(house, "event=renewed renewals=1 sessions=", 1);
    terminal_free(ada);
    terminal_free(bob);
}

static void a_renewed_gate_hands_everyone_to_a_new_core(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    kill_new_session(house, SIGSEGV);
    struct terminal *bob = guests_connect(house);
    kill(house_find_process(house, "core"), SIGKILL);
    guests_chat(ada, bob, "said to the second core");
    terminal_free(ada);
    terminal_free(bob);
}

static void the_gate_renews_itself_at_most_once_a_second(void **state)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGSYS, SIGABRT};
    struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    long began_ms = terminal_now_ms();
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        kill_new_session(house, signals[i]);
    }
    struct terminal *bob = guests_connect(house);
    long took_ms = terminal_now_ms() - began_ms;
    int renewals = house_count_log_lines(house, "event=renewed");
    /* One renewal may follow several deaths, because a person may still connect after a death and
     * before the renewal. */
    assert_in_range(renewals, 1, ARRAY_LEN(signals));
    assert_true(took_ms >= (renewals - 1) * 1000L);
    guests_chat(ada, bob, "still here");
    terminal_free(ada);
    terminal_free(bob);
}

/* Reads the address at which the program is loaded in a process; 0 where it may not be read. */
static unsigned long read_load_address(pid_t pid)
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

static void gate_and_core_and_renewed_gate_are_loaded_at_different_addresses(void **state)
{
    struct house_fixture *house = *state;
    unsigned long core = read_load_address(house_find_process(house, "core"));
    unsigned long gate = read_load_address(house_find_process(house, "gate"));
    if (core == 0) {
        skip(); /* only root may read the addresses of these processes */
    }
    assert_int_not_equal(gate, core);
    kill_new_session(house, SIGSEGV);
    struct terminal *ada = guests_connect(house);
    assert_int_not_equal(read_load_address(house_find_process(house, "gate")), gate);
    terminal_free(ada);
}

TEST_GROUP(renewal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            when_a_session_dies_the_gate_renews_itself_and_nobody_else_notices, house_set_up,
            house_tear_down),
        cmocka_unit_test_setup_teardown(a_renewed_gate_hands_everyone_to_a_new_core, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(
            gate_and_core_and_renewed_gate_are_loaded_at_different_addresses, house_set_up,
            house_tear_down),
        cmocka_unit_test_setup_teardown(the_gate_renews_itself_at_most_once_a_second, house_set_up,
                                        house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
