#include "tests/cluster/postgres_rig.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/node_settings.h"
#include "tests/e2e/pair.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdlib.h>

/* Two nodes of one house with their data in PostgreSQL: the core of the first holds the house, that
 * of the second waits, and people enter at both. */

#define GAME_MS 120000

struct node {
    struct house_fixture house;
};

static struct postgres_rig rig;
static struct node nodes[2];

static void open_node(int index)
{
    char settings[NODE_SETTINGS_SIZE];
    node_settings_write(settings, rig.servers[0].port, index + 1);
    house_open_with_settings(&nodes[index].house, settings);
}

static int open_nodes(void **state)
{
    (void)state;
    postgres_rig_start_alone(&rig);
    postgres_rig_add_database(&rig, NODE_SETTINGS_DATABASE);
    assert_int_equal(setenv("PGPASSWORD", rig.password, 1), 0);
    open_node(0);
    house_wait_for_log_lines(&nodes[0].house, "event=loaded", 1);
    open_node(1);
    house_wait_for_log_lines(&nodes[0].house, "event=node node=2", 1);
    return 0;
}

static int close_nodes(void **state)
{
    (void)state;
    house_close(&nodes[1].house);
    house_close(&nodes[0].house);
    postgres_rig_stop(&rig);
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

TEST_GROUP(nodes)
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
    return postgres_rig_is_installed() ? cmocka_run_group_tests(tests, open_nodes, close_nodes)
                                       : POSTGRES_RIG_SKIPPED;
}
