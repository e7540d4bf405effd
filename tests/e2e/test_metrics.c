#include "games/game.h"
#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What `trickhouse status`, `trickhouse metrics` and the file for Prometheus tell about a house
 * while its processes hang and die. */

#define LOOK_AGAIN_MS 20

/* Opens a house that writes its metrics to a file in its data folder every second. */
static int open_house_with_metrics_file(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, "[metrics]\nevery_s = 1\nfile = house.prom\n");
    *state = &house;
    return 0;
}

static void run_program(const struct house_fixture *house, const char *subcommand,
                        const char *option, struct command_result *result)
{
    const char *const argv[] = {getenv("TRICKHOUSE"), subcommand, "--data", "data", option, NULL};
    command_run(house, argv, result);
}

/* Fails the test unless `trickhouse status` ends with this status and these words. */
static void expect_status(const struct house_fixture *house, int status, const char *words)
{
    struct command_result result;
    run_program(house, "status", NULL, &result);
    command_assert_result(&result, status, words);
}

/* Reads the number of a series from the text; -1 if the text does not have it. */
static long long find_number(const char *text, const char *series)
{
    const char *at = text;
    size_t len = strlen(series);
    while ((at = strstr(at, series)) != NULL) {
        if ((at == text || at[-1] == '\n') && at[len] == ' ') {
            return atoll(at + len);
        }
        at += len;
    }
    return -1;
}

static char *read_metrics(const struct house_fixture *house, char *text, size_t size)
{
    char command[PATH_MAX];
    snprintf(command, sizeof(command), "%s metrics --data %s/data", getenv("TRICKHOUSE"),
             house->folder);
    FILE *output = popen(command, "re");
    assert_non_null(output);
    text[fread(text, 1, size - 1, output)] = '\0';
    assert_int_equal(pclose(output), 0);
    return text;
}

static long long read_metric(const struct house_fixture *house, const char *series)
{
    static char text[65536];
    return find_number(read_metrics(house, text, sizeof(text)), series);
}

/* Waits until the metric has at least this value. */
static void wait_for_metric(const struct house_fixture *house, const char *series, long long least)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (read_metric(house, series) < least) {
        assert_true(terminal_now_ms() < deadline_ms);
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
}

/* A process stops a while after the signal, when it is its turn to run. */
static void wait_until_status_reports_a_stopped_process(const struct house_fixture *house)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    struct command_result result;
    do {
        assert_true(terminal_now_ms() < deadline_ms);
        run_program(house, "status", NULL, &result);
    } while (strstr(result.said, "IS STOPPED") == NULL);
}

static void status_reports_each_stopped_process(void **state)
{
    const struct house_fixture *house = *state;
    const char *const names[] = {"core", "gate", "auth", "bot", "supervisor"};
    expect_status(house, 0, "The house is open");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        bool is_supervisor = strcmp(names[i], "supervisor") == 0;
        pid_t pid = is_supervisor ? house->pid : house_find_process(house, names[i]);
        struct command_result result;
        assert_int_equal(kill(pid, SIGSTOP), 0);
        wait_until_status_reports_a_stopped_process(house);
        expect_status(house, 3, "IS STOPPED");
        run_program(house, "status", "--json", &result);
        command_assert_result(&result, 3, "\"house\":\"failing\"");
        command_assert_result(&result, 3, "\"state\":\"stopped\"");
        assert_int_equal(kill(pid, SIGCONT), 0);
    }
    expect_status(house, 0, "The house is open");
}

static void counters_outlive_the_core_and_a_reload(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *guest = guests_connect(house);
    struct command_result result;
    assert_int_equal(
        read_metric(house, "trickhouse_sign_ins_total{method=\"guest\",transport=\"ssh\"}"), 1);
    assert_int_equal(read_metric(house, "trickhouse_connections_total{transport=\"ssh\"}"), 1);
    assert_int_equal(kill(house_find_process(house, "core"), SIGKILL), 0);
    wait_for_metric(house, "trickhouse_process_restarts_total{process=\"core\"}", 1);
    run_program(house, "reload", NULL, &result);
    command_assert_result(&result, 0, "reloaded");
    assert_int_equal(
        read_metric(house, "trickhouse_sign_ins_total{method=\"guest\",transport=\"ssh\"}"), 1);
    struct terminal *second = guests_connect(house);
    assert_int_equal(
        read_metric(house, "trickhouse_sign_ins_total{method=\"guest\",transport=\"ssh\"}"), 2);
    assert_int_equal(read_metric(house, "trickhouse_connections_total{transport=\"ssh\"}"), 2);
    assert_int_equal(read_metric(house, "trickhouse_process_restarts_total{process=\"core\"}"), 1);
    terminal_free(guest);
    terminal_free(second);
}

/* Reads when the core has written the file, in seconds since 1970; -1 if there is none. */
static long long read_time_of_file(const struct house_fixture *house, struct stat *status)
{
    static char text[65536];
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/data/house.prom", house->folder);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return -1;
    }
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(stat(path, status), 0);
    assert_true(strlen(text) > 0 && text[strlen(text) - 1] == '\n'); /* never half a file */
    return find_number(text, "trickhouse_measured_timestamp_seconds");
}

/* Waits until the file was written at another time than `before`. */
static long long wait_for_new_file(const struct house_fixture *house, long long before)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    struct stat status = {0};
    long long now;
    while ((now = read_time_of_file(house, &status)) == before || now < 0) {
        assert_true(terminal_now_ms() < deadline_ms);
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    assert_int_equal(status.st_mode & 0777, 0644);
    return now;
}

static void the_file_tells_that_the_core_has_stopped(void **state)
{
    const struct house_fixture *house = *state;
    struct stat status;
    long long first_s = wait_for_new_file(house, -1);
    long long second_s = wait_for_new_file(house, first_s);
    assert_true(second_s > first_s);
    pid_t core = house_find_process(house, "core");
    assert_int_equal(kill(core, SIGSTOP), 0);
    expect_status(house, 3, "its core does not answer"); /* more than two intervals */
    long long stopped_s = read_time_of_file(house, &status);
    expect_status(house, 3, "its core does not answer");
    assert_int_equal(read_time_of_file(house, &status), stopped_s);
    assert_true(read_metric(house, "trickhouse_process_silence_seconds{process=\"core\"}") >= 4);
    assert_int_equal(kill(core, SIGCONT), 0);
    assert_true(wait_for_new_file(house, stopped_s) > stopped_s + 3);
}

/* True if one of the process's mapped files or open descriptors has a name with this ending. */
static bool process_has_file(pid_t pid, const char *ending)
{
    char path[PATH_MAX], line[PATH_MAX + 128];
    bool has_it = false;
    size_t end_len = strlen(ending);
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps) != NULL) {
        size_t len = strcspn(line, "\n");
        has_it |= len >= end_len && strncmp(line + len - end_len, ending, end_len) == 0;
    }
    fclose(maps);
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, line, sizeof(line) - 1);
        has_it |=
            len >= (ssize_t)end_len && strncmp(line + len - (ssize_t)end_len, ending, end_len) == 0;
    }
    closedir(folder);
    return has_it;
}

static void wait_for_listener(const struct house_fixture *house)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int client;
    while ((client = house_connect_socket(house->port, 1)) < 0) {
        assert_true(terminal_now_ms() < deadline_ms);
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    close(client);
}

/* Needs the right to look into other processes, which root has: they forbid it to their user. */
static void no_session_has_the_page_of_metrics(void **state)
{
    const struct house_fixture *house = *state;
    if (geteuid() != 0) {
        skip();
    }
    struct terminal *before = guests_connect(house);
    assert_true(process_has_file(house_find_process(house, "gate"), "/data/counters"));
    assert_true(process_has_file(house_find_process(house, "core"), "/data/counters"));
    assert_false(process_has_file(house_find_newest_session(house), "/data/counters"));
    assert_int_equal(kill(house_find_process(house, "gate"), SIGKILL), 0);
    wait_for_metric(house, "trickhouse_process_restarts_total{process=\"gate\"}", 1);
    wait_for_listener(house);
    struct terminal *after = guests_connect(house);
    assert_true(process_has_file(house_find_process(house, "gate"), "/data/counters"));
    assert_false(process_has_file(house_find_newest_session(house), "/data/counters"));
    terminal_free(before);
    terminal_free(after);
}

/* Returns the moves of all games that were made by the player or by the house. */
static long long count_moves(const struct house_fixture *house, const char *mover)
{
    char series[128];
    long long count = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        snprintf(series, sizeof(series), "trickhouse_moves_total{game=\"%s\",mover=\"%s\"}",
                 game_at(i)->id, mover);
        count += read_metric(house, series);
    }
    return count;
}

static void every_move_of_a_player_is_timed(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *guest = guests_connect(house);
    client_play_trick(guest);
    long long moves = count_moves(house, "player");
    assert_true(moves >= 2);
    assert_true(count_moves(house, "house") >= 2);
    assert_int_equal(read_metric(house, "trickhouse_move_seconds_count{until=\"durable\"}"), moves);
    assert_int_equal(read_metric(house, "trickhouse_move_seconds_count{until=\"told\"}"), moves);
    assert_int_equal(read_metric(house, "trickhouse_move_seconds_bucket{until=\"told\",le=\"5\"}"),
                     moves);
    assert_true(read_metric(house, "trickhouse_bot_lateness_seconds_count") >= 2);
    assert_true(read_metric(house, "trickhouse_commit_seconds_count") >= moves);
    terminal_free(guest);
}

static int open_house_with_unwritable_file(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, "[metrics]\nevery_s = 1\nfile = absent/house.prom\n");
    *state = &house;
    return 0;
}

static void an_unwritable_file_is_logged_once_and_once_when_it_works_again(void **state)
{
    const struct house_fixture *house = *state;
    char path[PATH_MAX];
    long long first_s = read_metric(house, "trickhouse_measured_timestamp_seconds");
    house_wait_for_log_lines(house, "the metrics cannot be written to ", 1);
    wait_for_metric(house, "trickhouse_measured_timestamp_seconds", first_s + 2);
    house_expect_log_lines(house, "the metrics cannot be written to ", 1);
    snprintf(path, sizeof(path), "%s/data/absent", house->folder);
    assert_int_equal(mkdir(path, 0755), 0);
    if (geteuid() == 0) { /* then the house runs as the owner of the data folder */
        struct stat owner;
        char data[PATH_MAX];
        snprintf(data, sizeof(data), "%s/data", house->folder);
        assert_int_equal(stat(data, &owner), 0);
        assert_int_equal(chown(path, owner.st_uid, owner.st_gid), 0);
    }
    house_wait_for_log_lines(house, "the metrics are written to ", 1);
}

static int open_house_for_one_person(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, "[limits]\nsessions = 1\n");
    *state = &house;
    return 0;
}

static void a_refused_connection_is_counted_by_its_reason(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *guest = guests_connect(house);
    int client = house_connect_socket(house->port, 1);
    assert_true(client >= 0);
    wait_for_metric(house, "trickhouse_connections_refused_total{reason=\"full\"}", 1);
    assert_int_equal(read_metric(house, "trickhouse_connections_total{transport=\"ssh\"}"), 1);
    close(client);
    terminal_free(guest);
}

/* A folder stands where the new page is to be made. */
static void a_house_that_cannot_count_opens_all_the_same(void **state)
{
    struct house_fixture *house = *state;
    struct command_result result;
    char path[PATH_MAX];
    house_stop(house);
    snprintf(path, sizeof(path), "%s/data/counters.new", house->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    house_start(house, NULL);
    expect_status(house, 0, "The house is open");
    run_program(house, "metrics", NULL, &result);
    command_assert_result(&result, 1, "could not make the file counters");
    struct terminal *guest = guests_connect(house);
    terminal_free(guest);
}

TEST_GROUP(metrics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(status_reports_each_stopped_process, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(counters_outlive_the_core_and_a_reload, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(every_move_of_a_player_is_timed, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(
            an_unwritable_file_is_logged_once_and_once_when_it_works_again,
            open_house_with_unwritable_file, house_tear_down),
        cmocka_unit_test_setup_teardown(a_refused_connection_is_counted_by_its_reason,
                                        open_house_for_one_person, house_tear_down),
        cmocka_unit_test_setup_teardown(a_house_that_cannot_count_opens_all_the_same, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(the_file_tells_that_the_core_has_stopped,
                                        open_house_with_metrics_file, house_tear_down),
        cmocka_unit_test_setup_teardown(no_session_has_the_page_of_metrics, house_set_up,
                                        house_tear_down),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
