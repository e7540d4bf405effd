#include "tests/cluster/postgres_rig.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/node_settings.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Houses whose data are in PostgreSQL: one node alone, and two nodes of one house. */

#define LEASE_MS 8000 /* CLUSTER_LEASE_MS */

static struct postgres_rig rig;

static int start_server(void **state)
{
    (void)state;
    postgres_rig_start_alone(&rig);
    return setenv("PGPASSWORD", rig.password, 1); /* the settings contain no password */
}

static int stop_server(void **state)
{
    (void)state;
    postgres_rig_stop(&rig);
    return 0;
}

/* Makes an empty database for the next houses. */
static int make_database(void **state)
{
    (void)state;
    postgres_rig_add_database(&rig, NODE_SETTINGS_DATABASE);
    return 0;
}

static void open_node(struct house_fixture *house, int node)
{
    char settings[NODE_SETTINGS_SIZE];
    node_settings_write(settings, rig.servers[0].port, node);
    house_open_with_settings(house, settings);
}

static void run_subcommand(const struct house_fixture *house, const char *name, const char *word,
                           struct command_result *result)
{
    char data[96];
    (void)snprintf(data, sizeof data, "%s/data", house->folder);
    command_run(house,
                (const char *const[]){getenv("TRICKHOUSE"), name, "--data", data, word, NULL},
                result);
}

/* Runs `trickhouse cluster WORD` with the data folder of the node. */
static void run_cluster(const struct house_fixture *house, const char *word,
                        struct command_result *result)
{
    char data[96];
    (void)snprintf(data, sizeof data, "%s/data", house->folder);
    command_run(house, (const char *const[]){getenv("TRICKHOUSE"), "cluster", word, data, NULL},
                result);
}

/* Hands the house over by the URL of its database, whichever node holds it. */
static void hand_over_by_url(const struct house_fixture *house)
{
    struct command_result result;
    char url[POSTGRES_RIG_URL_SIZE];
    postgres_rig_write_server_url(&rig, 0, NODE_SETTINGS_DATABASE, url);
    command_run(house,
                (const char *const[]){getenv("TRICKHOUSE"), "cluster", "handover", url, NULL},
                &result);
    command_assert_result(&result, 0, "The house is handed over");
}

/* Runs a subcommand until what it says contains the words. Returns how long it took. */
static long wait_for_words(const struct house_fixture *house, const char *name, const char *word,
                           const char *words)
{
    struct command_result result;
    long begun_ms = terminal_now_ms();
    run_subcommand(house, name, word, &result);
    while (strstr(result.said, words) == NULL) {
        if (terminal_now_ms() - begun_ms > TERMINAL_DEADLINE_MS) {
            fail_msg("\"%s\" lacks \"%s\"", result.said, words);
        }
        (void)poll(NULL, 0, 300);
        run_subcommand(house, name, word, &result);
    }
    return terminal_now_ms() - begun_ms;
}

static long wait_for_status(const struct house_fixture *house, const char *words)
{
    return wait_for_words(house, "status", NULL, words);
}

/* Opens nodes 1 and 2 of one house; the first one holds it. */
static void open_two_nodes(struct house_fixture *first, struct house_fixture *second)
{
    open_node(first, 1);
    wait_for_status(first, "This node holds the house");
    open_node(second, 2);
}

/* Kills a supervisor, with whom all processes of its house die. */
static void kill_house(const struct house_fixture *house)
{
    int status;
    assert_int_equal(kill(house->pid, SIGKILL), 0);
    assert_int_equal(waitpid(house->pid, &status, 0), house->pid);
}

static void a_house_in_postgresql_goes_on_after_its_core_is_killed(void **state)
{
    (void)state;
    struct house_fixture house;
    struct command_result result;
    open_node(&house, 0);
    wait_for_status(&house, "This node holds the house. Nodes alive: 1.");
    struct terminal *ada = guests_connect(&house);
    struct terminal *bob = guests_connect(&house);
    guests_chat(ada, bob, "said to the first core");
    pid_t core = house_find_process(&house, "core");
    assert_int_equal(kill(core, SIGKILL), 0);
    guests_chat(bob, ada, "said to the second core");
    assert_true(terminal_shows(ada, "said to the first core"));
    run_subcommand(&house, "backup", NULL, &result);
    command_assert_result(&result, 1, "the data are in PostgreSQL");
    terminal_free(ada);
    terminal_free(bob);
    house_close(&house);
}

static void two_houses_with_one_database_exclude_each_other(void **state)
{
    (void)state;
    struct house_fixture first, second;
    open_node(&first, 1);
    wait_for_status(&first, "This node holds the house");
    /* by mistake with the number of the first one */
    open_node(&second, 1);
    house_wait_for_log_lines(&second, "another house is registered as node 1", 1);
    house_stop(&first);
    wait_for_status(&second, "This node holds the house");
    house_close(&second);
    house_start(&first, NULL);
    house_close(&first);
}

static void another_node_takes_over_when_the_holder_dies(void **state)
{
    (void)state;
    struct house_fixture first, second;
    struct command_result result;
    open_two_nodes(&first, &second);
    wait_for_status(&second, "Node 1 holds the house, and this one waits. Nodes alive: 2.");
    /* people at the second node are in the house of the first one */
    struct terminal *ada = guests_connect(&second);
    struct terminal *bob = guests_connect(&second);
    guests_chat(ada, bob, "said to the first node");
    run_subcommand(&second, "admin", "stats", &result);
    command_assert_result(&result, 0, "People in the house: 2");
    kill_house(&first);
    long killed_ms = terminal_now_ms();
    terminal_expect(ada, "One moment… The house is coming back"); /* although she types nothing */
    (void)wait_for_status(&second, "This node holds the house. Nodes alive: 1.");
    long took_ms = terminal_now_ms() - killed_ms;
    print_message("another node held the house after %ld ms\n", took_ms);
    assert_true(took_ms >= LEASE_MS / 2);
    guests_chat(bob, ada, "said to the second node");
    assert_true(terminal_shows(ada, "said to the first node"));
    terminal_expect_gone(ada, "One moment…");
    terminal_free(ada);
    terminal_free(bob);
    /* the first node comes back, and waits */
    house_start(&first, NULL);
    wait_for_status(&first, "Node 2 holds the house, and this one waits. Nodes alive: 2.");
    house_close(&first);
    house_close(&second);
}

/* Has Ada, at a node that has hung since begun_ms, hear of Bob. People who are not back with the
 * house after 15 s are sent away. */
static void expect_word(struct terminal *bob, struct terminal *ada, const char *words,
                        long begun_ms)
{
    guests_chat(bob, ada, words);
    print_message("%s: heard after %ld ms\n", words, terminal_now_ms() - begun_ms);
}

static void people_stay_when_the_core_or_the_bridge_of_a_node_hangs(void **state)
{
    (void)state;
    struct house_fixture first, second;
    open_two_nodes(&first, &second);
    wait_for_status(&first, "Other nodes connected: 1.");
    struct terminal *ada = guests_connect(&first);
    struct terminal *bob = guests_connect(&second);
    guests_chat(ada, bob, "said to the first node");

    long begun_ms = terminal_now_ms();
    assert_int_equal(kill(house_find_process(&first, "core"), SIGSTOP), 0);
    expect_word(bob, ada, "said after a core hung", begun_ms);
    house_expect_log_lines(&first, "event=hangs process=core", 1);

    begun_ms = terminal_now_ms();
    assert_int_equal(kill(house_find_process(&first, "bridge"), SIGSTOP), 0);
    house_wait_for_log_lines(&first, "event=hangs process=bridge", 1);
    expect_word(bob, ada, "said after a bridge hung", begun_ms);
    assert_true(terminal_shows(ada, "said to the first node"));
    terminal_free(ada);
    terminal_free(bob);
    house_close(&first);
    house_close(&second);
}

/* The sessions of a killed gate follow the house all the same, also those at a node that does not
 * hold it. */
static void people_stay_when_gates_die_and_then_the_house_moves(void **state)
{
    (void)state;
    struct house_fixture first, second;
    open_two_nodes(&first, &second);
    wait_for_status(&first, "Other nodes connected: 1.");
    struct terminal *ada = guests_connect(&first);
    struct terminal *bob = guests_connect(&second);
    guests_kill_gate(&first, 1);
    guests_kill_gate(&second, 1);
    guests_chat(ada, bob, "said to the first node");
    hand_over_by_url(&first);
    wait_for_status(&second, "This node holds the house");
    guests_chat(bob, ada, "said to the second node");
    guests_kill_gate(&second, 1);
    assert_int_equal(kill(house_find_process(&second, "core"), SIGKILL), 0);
    guests_chat(bob, ada, "said after its core");
    terminal_free(ada);
    terminal_free(bob);
    house_close(&first);
    house_close(&second);
}

static void a_house_is_handed_over_to_another_node(void **state)
{
    (void)state;
    struct house_fixture first, second;
    struct command_result result;
    open_two_nodes(&first, &second);
    wait_for_status(&second, "Node 1 holds the house");
    struct terminal *ada = guests_connect(&first);
    struct terminal *bob = guests_connect(&second);
    guests_chat(ada, bob, "said to the first node");
    run_cluster(&second, "handover", &result);
    command_assert_result(
        &result, 1, "node 1 holds the house, so there is nothing to hand over at this node\n");
    run_cluster(&first, "handover", &result);
    command_assert_result(&result, 0, "The house is handed over");
    assert_true(wait_for_status(&second, "This node holds the house") < LEASE_MS);
    wait_for_status(&first, "Node 2 holds the house, and this one waits");
    guests_chat(bob, ada, "said to the second node");
    house_expect_log_lines(&first, "it was asked to", 1);
    assert_int_equal(house_count_log_lines(&first, "died"), 0);
    assert_int_equal(house_count_log_lines(&first, "could not give up"), 0);
    run_cluster(&first, "status", &result);
    command_assert_result(&result, 0, "2     holds the house");
    terminal_free(ada);
    terminal_free(bob);
    house_stop(&first);
    run_cluster(&first, "handover", &result);
    command_assert_result(&result, 1,
                          "node 2 holds the house, and the node of this folder is closed\n");
    house_start(&first, NULL);
    wait_for_status(&first, "Node 2 holds the house, and this one waits");
    hand_over_by_url(&first);
    wait_for_status(&first, "This node holds the house");
    house_close(&first);
    house_close(&second);
}

/* Closes a node as its operator does, and checks what the operator is told. */
static void stop_by_command(const struct house_fixture *house, const char *told)
{
    struct command_result result;
    int status;
    run_subcommand(house, "stop", NULL, &result);
    assert_string_equal(result.said, told);
    assert_int_equal(waitpid(house->pid, &status, 0), house->pid);
    assert_true(WIFEXITED(status));
}

static void the_last_node_that_is_stopped_closes_the_house(void **state)
{
    (void)state;
    struct house_fixture first, second;
    open_two_nodes(&first, &second);
    wait_for_status(&first, "Nodes alive: 2.");
    stop_by_command(&first, "This node is closed; the house goes on at the others.\n");
    wait_for_status(&second, "This node holds the house. Nodes alive: 1.");
    stop_by_command(&second, "The house is closed.\n");
    house_start(&first, NULL);
    house_close(&first);
    house_start(&second, NULL);
    house_close(&second);
}

/* Starts the node in its folder with a database that does not answer. It does not get open. */
static void start_cut_off(struct house_fixture *house)
{
    char settings[NODE_SETTINGS_SIZE];
    char data[96], path[128];
    node_settings_write(settings, house_find_free_port(), 1);
    (void)snprintf(data, sizeof data, "%s/data", house->folder);
    (void)snprintf(path, sizeof path, "%s/cut-off.conf", house->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(settings, file) >= 0);
    assert_int_equal(fclose(file), 0);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    house->pid = command_start(house,
                               (const char *const[]){getenv("TRICKHOUSE"), "serve", "--data", data,
                                                     "--config", path, "--ssh-port=0",
                                                     "--bind=127.0.0.1", "--log", NULL},
                               NULL, nothing, nothing);
    close(nothing);
}

static void a_node_that_does_not_reach_the_database_knows_no_others(void **state)
{
    (void)state;
    struct house_fixture house;
    open_node(&house, 1);
    house_stop(&house);
    start_cut_off(&house);
    (void)wait_for_words(&house, "admin", "stats", "trickhouse admin: connection to server at");
    wait_for_status(&house, "bridge"); /* which only a node of several has; it starts last */
    stop_by_command(&house, "This node is closed.\n"); /* it knows of no others either */
    house_start(&house, NULL);
    house_close(&house);
}

/* The bridges of the other nodes stand still, while their cores live. */
static void a_node_that_the_others_do_not_reach_leaves_the_house(void **state)
{
    enum {
        NODES = 3
    };
    struct house_fixture houses[NODES];
    pid_t bridges[NODES];
    (void)state;
    for (int i = 0; i < NODES; i++) {
        open_node(&houses[i], i + 1);
        wait_for_status(&houses[i],
                        i == 0 ? "This node holds the house" : "Node 1 holds the house");
    }
    wait_for_status(&houses[0], "Nodes alive: 3. Other nodes connected: 2.");
    struct terminal *ada = guests_connect(&houses[0]);
    for (int i = 1; i < NODES; i++) {
        bridges[i] = house_find_process(&houses[i], "bridge");
        assert_int_equal(kill(houses[i].pid, SIGSTOP), 0); /* it would end a bridge that hangs */
        assert_int_equal(kill(bridges[i], SIGSTOP), 0);
    }
    house_wait_for_log_lines(&houses[0], "event=alone connected=0 alive=2", 1);
    wait_for_status(&houses[0], "holds the house, and this one waits. Nodes alive: 3.");
    for (int i = 1; i < NODES; i++) {
        assert_int_equal(kill(bridges[i], SIGCONT), 0);
        assert_int_equal(kill(houses[i].pid, SIGCONT), 0);
    }
    /* the session has followed the house, and hears of somebody who enters at another node */
    struct terminal *bob = guests_connect(&houses[1]);
    guests_chat(bob, ada, "said after the house has moved");
    terminal_free(ada);
    terminal_free(bob);
    for (int i = NODES - 1; i >= 0; i--) {
        house_close(&houses[i]);
    }
}

/* Makes a copy of the data that only the old nodes see: it is newer than their program. */
static void make_newer_data(void)
{
    char url[POSTGRES_RIG_URL_SIZE];
    postgres_rig_write_server_url(&rig, 0, NODE_SETTINGS_DATABASE, url);
    PGconn *connection = PQconnectdb(url);
    PGresult *made = PQexec(connection, "CREATE SCHEMA newer;"
                                        "CREATE TABLE newer.meta (name text, value text);"
                                        "INSERT INTO newer.meta VALUES ('schema_version', '9999')");
    assert_int_equal(PQresultStatus(made), PGRES_COMMAND_OK);
    PQclear(made);
    PQfinish(connection);
}

static void open_old_node(struct house_fixture *house, int node)
{
    assert_int_equal(setenv("PGOPTIONS", "-c search_path=newer", 1), 0);
    open_node(house, node);
    assert_int_equal(unsetenv("PGOPTIONS"), 0);
}

/* Connects to a node that cannot use the data: until its gate knows that another one can, it lets
 * nobody in. */
static struct terminal *connect_when_let_in(const struct house_fixture *house)
{
    static const struct connect_setup as_guest = {.user = "guest"};
    static const char *const words[] = {"5  HUND", "cannot reach its", NULL};
    long begun_ms = terminal_now_ms();
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    while (terminal_expect_any(guest, words) == 1) {
        assert_in_range(terminal_now_ms() - begun_ms, 0, TERMINAL_DEADLINE_MS);
        terminal_free(guest);
        guest = house_connect_by_ssh(house, &as_guest);
    }
    guests_close_offer(guest);
    terminal_expect(guest, "Tables");
    return guest;
}

static void a_house_is_opened_by_the_node_whose_program_can_open_its_data(void **state)
{
    static const char failure[] =
        "this node leaves the house to the other nodes, and tries again in about 64 s: "
        "cannot use the PostgreSQL database: the database has schema version 9999, "
        "which is newer than this program's; run the newer program";
    struct house_fixture old[2], new;
    struct command_result result;
    (void)state;
    make_newer_data();
    for (int i = 0; i < 2; i++) {
        open_old_node(&old[i], i + 1);
        house_wait_for_log_lines(&old[i], failure, 1);
    }
    /* neither takes the house again soon, nor does the next core of the node */
    house_kill_process(&old[0], "core");
    wait_for_status(&old[0], "No node holds the house");
    run_subcommand(&old[0], "admin", "stats", &result);
    assert_int_equal(result.status, 1);
    assert_string_equal(result.said, "trickhouse admin: no node holds the house at present; this "
                                     "one waits for it\n");
    run_cluster(&old[0], "status", &result);
    command_assert_result(&result, 0, "1     cannot open the data ");
    command_assert_result(&result, 0, "2     cannot open the data ");
    open_node(&new, 3);
    assert_true(wait_for_status(&new, "This node holds the house") < LEASE_MS);
    struct terminal *ada = connect_when_let_in(&old[0]);
    struct terminal *bob = guests_connect(&new);
    guests_chat(ada, bob, "said at a node that cannot open the data");
    terminal_free(ada);
    terminal_free(bob);
    for (int i = 0; i < 2; i++) {
        house_expect_log_lines(&old[i], failure, 1);
        house_close(&old[i]);
    }
    house_close(&new);
}

static void a_waiting_node_reloads_and_the_next_one_takes_over_at_once(void **state)
{
    (void)state;
    struct house_fixture first, second;
    struct command_result result;
    open_two_nodes(&first, &second);
    wait_for_status(&second, "Node 1 holds the house");
    run_subcommand(&second, "reload", NULL, &result);
    command_assert_result(&result, 0, "The house is reloaded");
    wait_for_status(&second, "Node 1 holds the house");
    house_close(&first); /* gives the house up */
    assert_true(wait_for_status(&second, "This node holds the house") < LEASE_MS);
    house_close(&second);
}

/* The next core of the node first waits for the house, and then gives its operators to it. */
static void the_holder_reloads_whenever_an_operator_says_so(void **state)
{
    (void)state;
    struct house_fixture only;
    struct command_result result;
    open_node(&only, 1);
    wait_for_status(&only, "This node holds the house");
    for (int i = 0; i < 12; i++) {
        run_subcommand(&only, "reload", NULL, &result);
        if (result.status == 0) {
            command_assert_result(&result, 0, "The house is reloaded");
        } else { /* a busy server may not answer in time: then nothing changes, or the node waits */
            command_assert_result(&result, 1, "the database does not answer");
            wait_for_status(&only, "This node holds the house");
        }
    }
    house_close(&only);
}

/* Connects to the node as `trickhouse admin` does. */
static int connect_operator(const struct house_fixture *house)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int operator= socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    int len = snprintf(address.sun_path, sizeof address.sun_path, "%s/data/control", house->folder);
    assert_in_range(len, 1, sizeof address.sun_path - 1);
    assert_int_equal(connect(operator,(struct sockaddr *) & address, sizeof address), 0);
    return operator;
}

static void operator_send(int operator, const char * message)
{
    assert_int_equal(send(operator, message, strlen(message), MSG_NOSIGNAL), strlen(message));
}

/* Reads messages until one contains these words. */
static void operator_read_until(int operator, const char * words)
{
    static char message[65536];
    do {
        struct pollfd readable = {.fd = operator, .events = POLLIN };
        assert_int_equal(poll(&readable, 1, TERMINAL_DEADLINE_MS), 1);
        ssize_t len = recv(operator, message, sizeof message - 1, 0);
        if (len <= 0) {
            fail_msg("the node disconnected the operator before it said %s", words);
        }
        message[len] = '\0';
    } while (strstr(message, words) == NULL);
}

/* A command that reaches a node just before it takes the house is not lost: the house asks the
 * operator's program to send it again. */
static void an_operator_stays_connected_while_a_node_takes_the_house(void **state)
{
    (void)state;
    struct house_fixture first, second;
    open_two_nodes(&first, &second);
    wait_for_status(&second, "Node 1 holds the house");
    int operator= connect_operator(&second);
    operator_send(operator, "{\"t\":\"hello\",\"protocol\":3}");
    operator_read_until(operator, "\"t\":\"welcome\"");
    house_close(&first); /* gives the house up */
    operator_read_until(operator, "\"t\":\"resync\"");
    operator_send(operator, "{\"t\":\"hello\",\"protocol\":3}");
    operator_read_until(operator, "\"t\":\"welcome\"");
    operator_send(operator, "{\"t\":\"mod\",\"id\":2,\"line\":\"stats\"}");
    operator_read_until(operator, "\"t\":\"ok\"");
    close(operator);
    house_close(&second);
}

TEST_GROUP(takeover)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_house_in_postgresql_goes_on_after_its_core_is_killed,
                               make_database),
        cmocka_unit_test_setup(two_houses_with_one_database_exclude_each_other, make_database),
        cmocka_unit_test_setup(another_node_takes_over_when_the_holder_dies, make_database),
        cmocka_unit_test_setup(people_stay_when_gates_die_and_then_the_house_moves, make_database),
        cmocka_unit_test_setup(people_stay_when_the_core_or_the_bridge_of_a_node_hangs,
                               make_database),
        cmocka_unit_test_setup(a_house_is_handed_over_to_another_node, make_database),
        cmocka_unit_test_setup(the_last_node_that_is_stopped_closes_the_house, make_database),
        cmocka_unit_test_setup(a_node_that_does_not_reach_the_database_knows_no_others,
                               make_database),
        cmocka_unit_test_setup(a_node_that_the_others_do_not_reach_leaves_the_house, make_database),
        cmocka_unit_test_setup(a_house_is_opened_by_the_node_whose_program_can_open_its_data,
                               make_database),
        cmocka_unit_test_setup(the_holder_reloads_whenever_an_operator_says_so, make_database),
        cmocka_unit_test_setup(an_operator_stays_connected_while_a_node_takes_the_house,
                               make_database),
        cmocka_unit_test_setup(a_waiting_node_reloads_and_the_next_one_takes_over_at_once,
                               make_database),
    };
    return postgres_rig_is_installed() ? cmocka_run_group_tests(tests, start_server, stop_server)
                                       : POSTGRES_RIG_SKIPPED;
}
