#include "tests/e2e/guests.h"
#include "tests/e2e/pair.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two nodes of one house (nodes/house_nodes.c): the core of the first holds the house, that of the
 * second waits, and people enter at both. */

#define GAME_MS 120000
#define PATH_MAX_BYTES 160

struct node {
    struct house_fixture house;
    int bridge_port;
};

static struct node nodes[2];

/* Writes the public key of the node, which its house has made, into the file of all nodes. */
static void write_line(FILE *file, int index)
{
    char command[PATH_MAX_BYTES];
    char key[128];
    (void)snprintf(command, sizeof command, "ssh-keygen -y -f %s/data/node_key",
                   nodes[index].house.folder);
    FILE *output = popen(command, "re");
    assert_non_null(output);
    assert_int_equal(fscanf(output, "%127[^\n]", key), 1);
    assert_int_equal(pclose(output), 0);
    assert_true(fprintf(file, "%d 127.0.0.1:%d %s\n", index + 1, nodes[index].bridge_port, key) >
                0);
}

static void write_nodes(int count)
{
    FILE *file = fopen(getenv("TRICKHOUSE_NODES"), "we");
    assert_non_null(file);
    for (int i = 0; i < count; i++) {
        write_line(file, i);
    }
    assert_int_equal(fclose(file), 0);
}

static void open_node(int index)
{
    char settings[PATH_MAX_BYTES];
    nodes[index].bridge_port = house_find_free_port();
    (void)snprintf(settings, sizeof settings, "[cluster]\nnode = %d\naddress = 127.0.0.1:%d\n",
                   index + 1, nodes[index].bridge_port);
    house_open_with_settings(&nodes[index].house, settings);
}

static int open_nodes(void **state)
{
    static char path[PATH_MAX_BYTES];
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/trickhouse-nodes-%d", (int)getpid());
    assert_int_equal(setenv("TRICKHOUSE_NODES", path, 1), 0);
    write_nodes(0);
    assert_int_equal(chmod(path, 0644), 0);
    open_node(0);
    write_nodes(1);
    open_node(1);
    write_nodes(2);
    house_kill_process(&nodes[0].house, "core"); /* the next core reads the file again */
    house_wait_for_log_lines(&nodes[0].house, "event=node node=2", 1);
    return 0;
}

static int close_nodes(void **state)
{
    (void)state;
    house_close(&nodes[1].house);
    house_close(&nodes[0].house);
    (void)unlink(getenv("TRICKHOUSE_NODES"));
    return 0;
}

static void people_of_both_nodes_meet(void **state)
{
    (void)state;
    struct terminal *ada = guests_connect(&nodes[0].house);
    struct terminal *bob = guests_connect(&nodes[1].house);
    guests_chat(ada, bob, "said at the first node");
    guests_chat(bob, ada, "said at the second node");
    terminal_free(ada);
    terminal_free(bob);
}

static void people_of_both_nodes_play_a_game(void **state)
{
    (void)state;
    struct terminal *ada = people_connect(&nodes[1].house, "ada", 80, 24);
    struct terminal *bob = people_connect(&nodes[0].house, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_begin_game(ada, bob);
    play_until(players, "round 2 of", GAME_MS);
    terminal_free(ada);
    terminal_free(bob);
}

static void passwords_are_checked_at_the_other_node(void **state)
{
    static const struct connect_setup as_bob = {.user = "nobody-here"};
    (void)state;
    struct terminal *bob = house_connect_by_ssh(&nodes[1].house, &as_bob);
    terminal_expect(bob, "Password:");
    terminal_type(bob, "not the password\r");
    terminal_expect_gone(bob, "not the password");
    terminal_expect(bob, "Password:");
    terminal_free(bob);
}

/* Guests at both nodes chat, also after the process of this node was killed. */
static void chat_around_the_end_of(int index, const char *process)
{
    struct terminal *ada = guests_connect(&nodes[0].house);
    struct terminal *bob = guests_connect(&nodes[1].house);
    guests_chat(ada, bob, "said before");
    long killed_ms = terminal_now_ms();
    house_kill_process(&nodes[index].house, process);
    guests_chat(bob, ada, "said by the one at the second node");
    print_message("%ld ms after the end of the %s of node %d\n", terminal_now_ms() - killed_ms,
                  process, index + 1);
    guests_chat(ada, bob, "said by the one at the first node");
    assert_true(terminal_shows(bob, "said before"));
    terminal_free(ada);
    terminal_free(bob);
}

static void people_stay_when_the_core_of_the_house_is_killed(void **state)
{
    (void)state;
    chat_around_the_end_of(0, "core");
}

static void people_stay_when_a_waiting_core_is_killed(void **state)
{
    (void)state;
    chat_around_the_end_of(1, "core");
}

static void people_stay_when_the_bridge_of_their_node_is_killed(void **state)
{
    (void)state;
    chat_around_the_end_of(1, "bridge");
}

static void people_stay_when_the_bridge_of_the_house_is_killed(void **state)
{
    (void)state;
    chat_around_the_end_of(0, "bridge");
}

static void people_stay_when_a_node_is_reloaded(void **state)
{
    (void)state;
    struct terminal *ada = guests_connect(&nodes[0].house);
    struct terminal *bob = guests_connect(&nodes[1].house);
    for (int i = 1; i >= 0; i--) {
        const char *const words[] = {"after both reloads", "after a reload"};
        kill(nodes[i].house.pid, SIGUSR1);
        house_wait_for_log_lines(&nodes[i].house, "event=reloaded", 1);
        guests_chat(bob, ada, words[i]);
    }
    terminal_free(ada);
    terminal_free(bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_of_both_nodes_meet),
        cmocka_unit_test(people_of_both_nodes_play_a_game),
        cmocka_unit_test(passwords_are_checked_at_the_other_node),
        cmocka_unit_test(people_stay_when_the_core_of_the_house_is_killed),
        cmocka_unit_test(people_stay_when_a_waiting_core_is_killed),
        cmocka_unit_test(people_stay_when_the_bridge_of_their_node_is_killed),
        cmocka_unit_test(people_stay_when_the_bridge_of_the_house_is_killed),
        cmocka_unit_test(people_stay_when_a_node_is_reloaded),
    };
    return cmocka_run_group_tests(tests, open_nodes, close_nodes);
}
