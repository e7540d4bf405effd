#include "tests/cluster/postgres_rig.h"

#include "tests/times.h"
#include "tests/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 10000
#define POLL_MS 5

static void print_time(const char *what, double since_ms)
{
    printf("%s: %.0f ms\n", what, times_now_ms() - since_ms);
}

/* Connects as the house does: with all servers in the URL. */
static PGconn *connect_as_house(const struct postgres_rig *rig)
{
    char url[POSTGRES_RIG_URL_SIZE];
    postgres_rig_write_url(rig, "house", url);
    PGconn *connection = PQconnectdb(url);
    assert_int_equal(PQstatus(connection), CONNECTION_OK);
    return connection;
}

static void run(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
}

/* Returns the text that the query finds, which is valid until the next call. */
static const char *ask(PGconn *connection, const char *query)
{
    static char text[64];
    PGresult *result = PQexec(connection, query);
    assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
    assert_int_equal(PQntuples(result), 1);
    (void)snprintf(text, sizeof(text), "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return text;
}

/* Whether the statement that was sent is answered within that time. */
static bool is_answered_within(PGconn *connection, int wait_ms)
{
    double deadline_ms = times_now_ms() + wait_ms;
    struct pollfd wanted = {.fd = PQsocket(connection), .events = POLLIN};
    while (PQisBusy(connection)) {
        double left_ms = deadline_ms - times_now_ms();
        if (left_ms <= 0 || poll(&wanted, 1, (int)left_ms + 1) < 0) {
            return false;
        }
        assert_int_equal(PQconsumeInput(connection), 1);
    }
    return true;
}

static void one_server_takes_a_house(void **state)
{
    (void)state;
    struct postgres_rig rig;
    double begun_ms = times_now_ms();
    postgres_rig_start_alone(&rig);
    print_time("one server alone", begun_ms);
    PGconn *connection = connect_as_house(&rig);
    run(connection, "CREATE TABLE moves (step bigint PRIMARY KEY)");
    assert_string_equal(ask(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = 'house'"),
                        "f");
    assert_string_equal(ask(connection, "SELECT datcollate FROM pg_database"
                                        " WHERE datname = current_database()"),
                        "C.UTF-8");
    PQfinish(connection);
    begun_ms = times_now_ms();
    postgres_rig_add_database(&rig, "house");
    print_time("a new database", begun_ms);
    connection = connect_as_house(&rig);
    assert_string_equal(ask(connection, "SELECT count(*) FROM pg_class WHERE relname = 'moves'"),
                        "0");
    PQfinish(connection);
    begun_ms = times_now_ms();
    postgres_rig_stop(&rig);
    print_time("stop", begun_ms);
    assert_int_equal(access(rig.folder, F_OK), -1);
}

static void what_was_committed_synchronously_survives_the_primary(void **state)
{
    (void)state;
    struct postgres_rig rig;
    double begun_ms = times_now_ms();
    postgres_rig_start_pair(&rig, true);
    print_time("primary and standby", begun_ms);
    PGconn *connection = connect_as_house(&rig);
    run(connection, "CREATE TABLE moves (step bigint PRIMARY KEY)");
    run(connection, "INSERT INTO moves VALUES (1)");

    begun_ms = times_now_ms();
    postgres_rig_kill(&rig, 0);
    postgres_rig_promote(&rig, 1);
    print_time("kill and promote", begun_ms);
    PQfinish(connection);
    connection = connect_as_house(&rig);
    assert_string_equal(ask(connection, "SELECT count(*) FROM moves"), "1");
    run(connection, "INSERT INTO moves VALUES (2)");

    begun_ms = times_now_ms();
    postgres_rig_rebuild(&rig, 0);
    print_time("rebuild the former primary", begun_ms);
    run(connection, "INSERT INTO moves VALUES (3)");
    PQfinish(connection);
    postgres_rig_kill(&rig, 1);
    postgres_rig_promote(&rig, 0);
    connection = connect_as_house(&rig);
    assert_string_equal(ask(connection, "SELECT count(*) FROM moves"), "3");
    PQfinish(connection);
    postgres_rig_stop(&rig);
}

static void what_was_committed_asynchronously_may_be_lost(void **state)
{
    (void)state;
    struct postgres_rig rig;
    postgres_rig_start_pair(&rig, false);
    PGconn *connection = connect_as_house(&rig);
    run(connection, "CREATE TABLE moves (step bigint PRIMARY KEY)");
    postgres_rig_rebuild(&rig, 1); /* now the standby surely has the table */
    postgres_rig_kill(&rig, 1);
    run(connection, "INSERT INTO moves VALUES (1)");
    PQfinish(connection);
    postgres_rig_kill(&rig, 0);
    postgres_rig_start(&rig, 1);
    postgres_rig_promote(&rig, 1);
    connection = connect_as_house(&rig);
    assert_string_equal(ask(connection, "SELECT count(*) FROM moves"), "0");
    PQfinish(connection);
    postgres_rig_stop(&rig);
}

static void a_primary_that_wakes_up_tells_no_commit(void **state)
{
    (void)state;
    struct postgres_rig rig;
    postgres_rig_start_pair(&rig, true);
    PGconn *connection = connect_as_house(&rig);
    run(connection, "CREATE TABLE moves (step bigint PRIMARY KEY)");
    postgres_rig_pause(&rig, 0);
    assert_int_equal(PQsendQuery(connection, "INSERT INTO moves VALUES (1)"), 1);
    assert_int_equal(PQflush(connection), 0);
    postgres_rig_promote(&rig, 1);
    postgres_rig_resume(&rig, 0);
    PGconn *former = postgres_rig_connect(&rig, 0); /* it works again */
    assert_string_equal(ask(former, "SELECT pg_is_in_recovery()"), "f");
    PQfinish(former);
    assert_false(is_answered_within(connection, 500));
    PQfinish(connection);
    connection = postgres_rig_connect(&rig, 1);
    assert_string_equal(ask(connection, "SELECT count(*) FROM moves"), "0");
    PQfinish(connection);
    postgres_rig_stop(&rig);
}

/* Starts a pair in another process, which is then killed. Returns the pair's folder. */
static void start_pair_and_die(char folder[64])
{
    struct postgres_rig rig;
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t owner = fork();
    if (owner == 0) {
        postgres_rig_start_pair(&rig, true);
        postgres_rig_pause(&rig, 0);
        _exit(write(told[1], rig.folder, sizeof(rig.folder)) == (ssize_t)sizeof(rig.folder) &&
                      raise(SIGKILL) == 0
                  ? 0
                  : 1);
    }
    close(told[1]);
    assert_int_equal(read(told[0], folder, 64), 64);
    close(told[0]);
    int status;
    assert_int_equal(waitpid(owner, &status, 0), owner);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void no_server_outlives_a_test_that_is_killed(void **state)
{
    (void)state;
    char folder[64];
    start_pair_and_die(folder);
    double begun_ms = times_now_ms();
    while (access(folder, F_OK) == 0 && times_now_ms() - begun_ms < WAIT_MS) {
        (void)poll(NULL, 0, POLL_MS);
    }
    print_time("until nothing is left", begun_ms);
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(rig_processes_signal(folder, 0), 0);
}

TEST_GROUP(postgres_rig)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_takes_a_house),
        cmocka_unit_test(what_was_committed_synchronously_survives_the_primary),
        cmocka_unit_test(what_was_committed_asynchronously_may_be_lost),
        cmocka_unit_test(a_primary_that_wakes_up_tells_no_commit),
        cmocka_unit_test(no_server_outlives_a_test_that_is_killed),
    };
    return postgres_rig_is_installed() ? cmocka_run_group_tests(tests, NULL, NULL)
                                       : POSTGRES_RIG_SKIPPED;
}
