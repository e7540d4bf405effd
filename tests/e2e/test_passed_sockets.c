#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A house whose listening sockets systemd has opened (trickhouse.socket). The test does what
 * systemd does. */

#define BANNER "SSH-2.0-"

struct fixture {
    struct house_fixture house;
    int ssh_socket, telnet_socket;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct house_fixture *house = &fixture.house;
    house_open(house); /* makes the folder */
    house_stop(house);
    fixture.ssh_socket = house_listen(&house->port);
    fixture.telnet_socket = house_listen(&house->telnet_port);
    house_start_on_sockets(house, fixture.ssh_socket, fixture.telnet_socket);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    house_close(&fixture->house);
    close(fixture->ssh_socket);
    close(fixture->telnet_socket);
    return 0;
}

/* Expects people to get in by ssh and by telnet. */
static void expect_people_to_enter(const struct house_fixture *house)
{
    const struct connect_setup setup = {0};
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = house_connect_by_telnet(house, &setup);
    terminal_expect(bob, "Your name");
    terminal_free(bob);
    terminal_free(ada);
}

/* Waits until another gate than this one listens. */
static void wait_for_another_gate(const struct house_fixture *house, int listens)
{
    house_wait_for_log_lines(house, "event=listen transport=telnet", listens + 1);
}

static void people_enter_through_passed_sockets_after_a_reload_and_with_a_new_gate(void **state)
{
    struct fixture *fixture = *state;
    const struct house_fixture *house = &fixture->house;
    char words[256];
    snprintf(words, sizeof(words), "event=listen transport=ssh port=%d\n", house->port);
    house_expect_log_lines(house, words, 1);
    expect_people_to_enter(house);
    for (int i = 0; i < 2; i++) {
        snprintf(words, sizeof(words), "%s reload --data %s/data", getenv("TRICKHOUSE"),
                 house->folder);
        assert_int_equal(system(words), 0);
        expect_people_to_enter(house);
        int listens = house_count_log_lines(house, "event=listen transport=telnet");
        kill(house_find_process(house, "gate"), SIGKILL);
        wait_for_another_gate(house, listens);
        expect_people_to_enter(house);
    }
}

/* Reads the beginning of the banner of an SSH server. Returns false if the server closes the
 * connection first. */
static bool read_banner(int client)
{
    char banner[sizeof(BANNER)] = "";
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    size_t len = 0;
    while (len < strlen(BANNER)) {
        ssize_t got = terminal_read_before(client, banner + len, strlen(BANNER) - len, deadline);
        if (got <= 0) {
            return false;
        }
        len += (size_t)got;
    }
    return strcmp(banner, BANNER) == 0;
}

static void people_who_connect_to_a_closed_house_wait_until_it_is_open_again(void **state)
{
    struct fixture *fixture = *state;
    struct house_fixture *house = &fixture->house;
    int clients[20];
    house_stop(house);
    for (int i = 0; i < 20; i++) {
        clients[i] = house_connect_socket(house->port, 1 + (uint8_t)i);
        assert_true(clients[i] >= 0);
    }
    house_start_on_sockets(house, fixture->ssh_socket, fixture->telnet_socket);
    for (int i = 0; i < 20; i++) {
        assert_true(read_banner(clients[i]));
        close(clients[i]);
    }
}

/* A closing house first lets nobody enter, and then says goodbye to those who are there: while its
 * core is stopped, it closes as slowly as it may. */
static void a_closing_house_leaves_new_connections_to_the_next_one(void **state)
{
    struct fixture *fixture = *state;
    struct house_fixture *house = &fixture->house;
    int status = -1;
    pid_t core = house_find_process(house, "core");
    assert_int_equal(kill(core, SIGSTOP), 0);
    kill(house->pid, SIGTERM);
    house_wait_for_log_lines(house, "event=unlisten", 1);
    int client = house_connect_socket(house->port, 1);
    assert_true(client >= 0);
    kill(core, SIGCONT);
    assert_int_equal(waitpid(house->pid, &status, 0), house->pid);
    assert_int_equal(status, 0);
    house_start_on_sockets(house, fixture->ssh_socket, fixture->telnet_socket);
    assert_true(read_banner(client));
    close(client);
}

TEST_GROUP(passed_sockets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            people_enter_through_passed_sockets_after_a_reload_and_with_a_new_gate, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(
            people_who_connect_to_a_closed_house_wait_until_it_is_open_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_closing_house_leaves_new_connections_to_the_next_one,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
