#include "daemon/base/base.h"
#include "daemon/processes/processes.h"
#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char folder[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    return folder_make(folder);
}

static int tear_down_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

/* Starts a process that locks the data until a signal ends the process; a supervisor listens at the
 * control socket too. Returns once the data are locked. */
static pid_t start_process_that_locks_data(bool is_supervisor)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct data_dir dir;
        bool is_held = data_dir_open(&dir, folder) == DATA_DIR_OK &&
                       (!is_supervisor || control_socket_listen(folder) >= 0);
        if (is_held && write(ready[1], "", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    char byte;
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void expect_command_result(const char *command, int status, const char *words)
{
    struct program_run run = program_run(ARGS(command, "--data", folder), NULL);
    assert_int_equal(run.status, status);
    assert_non_null(strstr(run.out, words));
    assert_int_equal(run.err_len, 0);
    program_clear(&run);
}

static void without_an_open_house_status_exits_with_1_and_stop_does_nothing(void **state)
{
    (void)state;
    expect_command_result("status", 1, "No house is open");
    expect_command_result("stop", 0, "No house is open");
}

static void the_data_of_a_crashed_house_does_not_count_as_an_open_house(void **state)
{
    (void)state;
    struct data_dir dir;
    assert_int_equal(data_dir_open(&dir, folder), DATA_DIR_OK);
    data_dir_close(&dir);
    expect_command_result("status", 1, "No house is open");
    expect_command_result("stop", 0, "No house is open");
}

static void a_house_without_a_core_is_found_and_stopped(void **state)
{
    (void)state;
    char words[64];
    int status;
    pid_t pid = start_process_that_locks_data(true);
    snprintf(words, sizeof words, "The house (process %d) does not work", (int)pid);
    expect_command_result("status", 3, words);
    expect_command_result("stop", 0, "The house is closed.");
    assert_int_equal(waitpid(pid, &status, WNOHANG), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    expect_command_result("status", 1, "No house is open");
}

/* Writes a process id into the lock file, as it stands there if the house is in another PID
 * namespace: there it is the supervisor's. */
static void write_pid_into_lock(pid_t pid)
{
    char path[FOLDER_PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/lock", folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "%d\n", (int)pid);
    assert_int_equal(fclose(file), 0);
}

static void end_process(pid_t pid, int wanted_signal)
{
    int status;
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), wanted_signal);
}

static void stop_ends_the_house_and_no_process_whose_number_is_in_the_lock_file(void **state)
{
    (void)state;
    pid_t stranger = fork();
    if (stranger == 0) {
        pause();
        _exit(0);
    }
    pid_t house = start_process_that_locks_data(true);
    write_pid_into_lock(stranger);
    expect_command_result("stop", 0, "The house is closed.");
    end_process(house, SIGTERM);
    end_process(stranger, SIGKILL);
}

static void stop_leaves_a_process_alone_that_locks_the_data_but_is_no_house(void **state)
{
    (void)state;
    pid_t other = start_process_that_locks_data(false);
    struct program_run run = program_run(ARGS("stop", "--data", folder), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "another subcommand uses the data"));
    program_clear(&run);
    end_process(other, SIGKILL);
}

/* Runs `stop` in a PID namespace of its own. Exits with 77 if there can be none. */
static void run_in_other_namespace(void)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
        _exit(77);
    }
    struct program_run stop = program_run(ARGS("stop", "--data", folder), NULL);
    bool is_refused =
        stop.status == 1 && strstr(stop.err, "is open in another PID namespace") != NULL;
    _exit(is_refused ? 0 : 1);
}

static void stop_refuses_to_close_a_house_in_another_pid_namespace(void **state)
{
    (void)state;
    int status;
    pid_t house = start_process_that_locks_data(true);
    pid_t child = fork();
    if (child == 0) {
        run_in_other_namespace();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    end_process(house, SIGKILL);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        skip();
    }
    assert_int_equal(status, 0);
}

/* Returns the child process with this name: every process of a house names itself. */
static pid_t find_child(pid_t parent, const char *name)
{
    char path[64];
    char line[64] = "";
    pid_t found = 0;
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *children = fopen(path, "re");
    assert_non_null(children);
    while (fscanf(children, "%d", &child) == 1) {
        snprintf(path, sizeof path, "/proc/%d/comm", child);
        FILE *comm = fopen(path, "re");
        if (comm != NULL && fgets(line, sizeof line, comm) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            found = strcmp(line, name) == 0 ? child : found;
        }
        if (comm != NULL) {
            fclose(comm);
        }
    }
    fclose(children);
    return found;
}

static void expect_command_reports_silent_core(const char *const *args)
{
    struct program_run run = program_run(args, NULL);
    if (run.status == 0 || (strstr(run.out, "its core does not answer") == NULL &&
                            strstr(run.err, "its core does not answer") == NULL)) {
        fail_msg("%s: status %d, said \"%s\" and \"%s\"", args[0], run.status, run.out, run.err);
    }
    program_clear(&run);
}

static void a_hung_core_is_reported_within_seconds(void **state)
{
    (void)state;
    pid_t owner;
    struct program_run run = program_run(
        ARGS("serve", "--data", folder, "--ssh-port=0", "--bind=127.0.0.1", "--detach"), NULL);
    assert_int_equal(run.status, 0);
    program_clear(&run);
    expect_command_result("status", 0, "The house is open (process ");
    assert_int_equal(data_dir_find_supervisor(folder, &owner), DATA_DIR_OK);
    pid_t core = find_child(owner, "core");
    assert_true(core > 1);
    int64_t begun_ms = clock_steady_ms();
    assert_int_equal(kill(core, SIGSTOP), 0);
    expect_command_reports_silent_core(ARGS("status", "--data", folder));
    expect_command_reports_silent_core(ARGS("admin", "--data", folder, "stats"));
    expect_command_reports_silent_core(ARGS("backup", "--data", folder));
    expect_command_reports_silent_core(ARGS("reload", "--data", folder));
    assert_int_equal(kill(core, SIGCONT), 0);
    assert_in_range(clock_steady_ms() - begun_ms, 0, 45000);
    expect_command_result("stop", 0, "The house is closed.");
}

static void wrong_usage_is_reported_in_one_line(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("stop"), "--data DIR is missing");
    program_expect_usage_error(ARGS("status", "--data", folder, "now"), "\"now\" is no option");
    program_expect_usage_error(ARGS("stop", "--datas", folder), "--datas");
}

TEST_GROUP(status)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            without_an_open_house_status_exits_with_1_and_stop_does_nothing, set_up_folder,
            tear_down_folder),
        cmocka_unit_test_setup_teardown(the_data_of_a_crashed_house_does_not_count_as_an_open_house,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(a_house_without_a_core_is_found_and_stopped, set_up_folder,
                                        tear_down_folder),
        cmocka_unit_test_setup_teardown(
            stop_ends_the_house_and_no_process_whose_number_is_in_the_lock_file, set_up_folder,
            tear_down_folder),
        cmocka_unit_test_setup_teardown(
            stop_leaves_a_process_alone_that_locks_the_data_but_is_no_house, set_up_folder,
            tear_down_folder),
        cmocka_unit_test_setup_teardown(stop_refuses_to_close_a_house_in_another_pid_namespace,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(a_hung_core_is_reported_within_seconds, set_up_folder,
                                        tear_down_folder),
        cmocka_unit_test_setup_teardown(wrong_usage_is_reported_in_one_line, set_up_folder,
                                        tear_down_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
