#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs the load bench ($LOAD_BENCH) against a small house ($TRICKHOUSE). */

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char folder[FOLDER_PATH_MAX], data[FOLDER_PATH_MAX], port[8], pid[16];

/* Runs the bench instead of the house's program. */
static struct program_run run_bench(const char *const *args)
{
    char *house = strdup(getenv("TRICKHOUSE"));
    assert_non_null(house);
    assert_int_equal(setenv("TRICKHOUSE", getenv("LOAD_BENCH"), 1), 0);
    struct program_run run = program_run(args, NULL);
    assert_int_equal(setenv("TRICKHOUSE", house, 1), 0);
    free(house);
    return run;
}

static void read_supervisor_pid(void)
{
    char path[FOLDER_PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/lock", data);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(pid, sizeof pid, in));
    pid[strcspn(pid, " \n")] = '\0';
    fclose(in);
}

static int open_house(void **state)
{
    (void)state;
    if (program_make_data_folder(folder, data) != 0) {
        return -1;
    }
    struct program_run run = program_run(
        ARGS("serve", "--data", data, "--ssh-port=0", "--bind=127.0.0.1", "--detach"), NULL);
    assert_int_equal(run.status, 0);
    const char *at = strstr(run.out, "ssh -p ");
    assert_non_null(at);
    snprintf(port, sizeof port, "%ld", strtol(at + strlen("ssh -p "), NULL, 10));
    program_clear(&run);
    read_supervisor_pid();
    return 0;
}

static int close_house(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

/* Returns a figure. Fails the test if it is missing. */
static double read_figure(const char *json, const char *id)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", id);
    const char *at = strstr(json, key);
    if (at == NULL) {
        fail_msg("%s is missing in %s", id, json);
    }
    return strtod(at + strlen(key), NULL);
}

static void expect_figure(const char *json, const char *id)
{
    if (read_figure(json, id) <= 0) {
        fail_msg("%s is not positive in %s", id, json);
    }
}

static void the_bench_reports_every_figure_of_a_small_house(void **state)
{
    (void)state;
    static const char *const figures[] = {
        "came_in",
        "fill_arrivals_per_s",
        "fill_first_screen_p50_ms",
        "fill_first_screen_p99_ms",
        "fill_first_screen_worst_ms",
        "fill_client_cpu_ms",
        "fill_cpu_ms",
        "processes",
        "start_pss_kib",
        "pss_kib",
        "pss_whole_each_kib",
        "pss_each_kib",
        "pss_added_kib",
        "page_tables_each_kib",
        "arrivals_per_s",
        "first_screen_p50_ms",
        "first_screen_p99_ms",
        "first_screen_worst_ms",
        "cpu_raw_ms",
        "client_cpu_ms",
        "echo_p50_ms",
        "echo_p99_ms",
        "echo_worst_ms",
        "chat_first_ms",
        "chat_p50_ms",
        "chat_p99_ms",
        "chat_last_ms",
        "chat_last_worst_ms",
        "tables",
        "moves_per_s",
        "move_p50_ms",
        "move_p99_ms",
        "move_worst_ms",
        "play_cpu_ms_per_s",
        "play_busiest_ms_per_s",
    };
    struct program_run run =
        run_bench(ARGS("--port", port, "--server-pid", pid, "--steps=3,5", "--at-a-time=2",
                       "--extra=3", "--idle=1", "--echoes=20", "--chat=1", "--tables=1",
                       "--move-every=1", "--play=4", "--json"));
    if (run.status != 0) {
        fail_msg("status %d: %s", run.status, run.err);
    }
    assert_non_null(strstr(run.out, "{\"columns\":[{\"connections\":3,"));
    const char *last = strstr(run.out, "{\"connections\":5,");
    assert_non_null(last);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        expect_figure(last, figures[i]);
    }
    /* on a busy machine no key is echoed in this time: then they are 0 */
    assert_true(read_figure(last, "play_echo_p50_ms") <= read_figure(last, "play_echo_p99_ms"));
    const char *arrivals = strstr(last, "\"echo_arrivals_per_s\"");
    if (arrivals != NULL) { /* during the few echoes */
        expect_figure(last, "echo_arrivals_per_s");
        expect_figure(last, "echo_first_screen_p50_ms");
        expect_figure(last, "echo_first_screen_p99_ms");
    }
    assert_non_null(strstr(last, "\"chat_missing\":0.0000"));
    assert_non_null(strstr(last, "\"moves_unseen\":0.0000"));
    assert_non_null(strstr(last, "\"failed\":0.0000,\"lost\":0.0000}"));
    /* below 0 when a page that one process had becomes one that several have */
    assert_non_null(strstr(last, "\"private_each_kib\":"));
    assert_non_null(strstr(last, "\"idle_cpu_ms_per_s\":"));
    assert_non_null(strstr(last, "\"kernel_each_kib\":"));
    program_clear(&run);
}

static void the_table_for_people_has_a_row_for_each_figure(void **state)
{
    (void)state;
    struct program_run run =
        run_bench(ARGS("--port", port, "--connections=2", "--extra=0", "--echoes=0"));
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "connections that came in"));
    assert_non_null(strstr(run.out, "  first screen, worst (ms)"));
    program_clear(&run);
}

static void expect_failure(const char *const *args, int status, const char *words)
{
    struct program_run run = run_bench(args);
    assert_int_equal(run.status, status);
    assert_true(status != 2 || run.out_len == 0);
    if (strstr(run.err, words) == NULL) {
        fail_msg("said: %s", run.err);
    }
    program_clear(&run);
}

static void people_who_do_not_come_in_are_counted_with_the_reason(void **state)
{
    (void)state;
    expect_failure(ARGS("--port", port, "--connections=2", "--marker=No such words", "--timeout=1"),
                   1, "load: 2 did not come in: \"No such words\" did not appear in 1 s");
    expect_failure(ARGS("--port=1", "--connections=2"), 1,
                   "load: 2 did not come in: connect: Connection refused");
    expect_failure(ARGS("--port", port, "--connections=2", "--user=nobody-of-that-name",
                        "--password-env=LOAD_TEST_NO_PASSWORD"),
                   1, "load: 2 did not come in: sign in: ");
}

static void people_enter_at_the_ports_in_turn(void **state)
{
    (void)state;
    char ports[16];
    snprintf(ports, sizeof ports, "%s,1", port);
    expect_failure(ARGS("--port", ports, "--connections=4", "--extra=0", "--echoes=0"), 1,
                   "load: 2 did not come in: connect: Connection refused");
}

static void wrong_options_are_refused_with_the_reason(void **state)
{
    (void)state;
    expect_failure(ARGS("--port=0"), 2, "load: --port cannot be 0");
    expect_failure(ARGS("--port=2222,65536"), 2, "load: --port cannot be 2222,65536");
    expect_failure(ARGS("--steps=20,10"), 2, "load: --steps cannot be 20,10");
    expect_failure(ARGS("--connections=7", "--tables=2"), 2,
                   "load: --tables needs four connections for each table");
    expect_failure(ARGS("--port", port, "--server-pid=999999999"), 1,
                   "load: the server's process 999999999 does not run");
}

TEST_GROUP(load)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bench_reports_every_figure_of_a_small_house),
        cmocka_unit_test(the_table_for_people_has_a_row_for_each_figure),
        cmocka_unit_test(people_enter_at_the_ports_in_turn),
        cmocka_unit_test(people_who_do_not_come_in_are_counted_with_the_reason),
        cmocka_unit_test(wrong_options_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, open_house, close_house);
}
