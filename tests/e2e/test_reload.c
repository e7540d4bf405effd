#include "games/macros.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The house restarts its program while people are connected, and nobody notices. */

#define COMMAND_MAX 512

static int run_reload(const struct house_fixture *house)
{
    return house_run_command(house, "reload");
}

static void write_settings(const struct house_fixture *house, const char *settings)
{
    char path[COMMAND_MAX];
    snprintf(path, sizeof(path), "%s/data/house.conf", house->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(settings, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void everybody_stays_connected_when_a_new_core_takes_over(void **state)
{
    struct house_fixture *house = *state;
    pid_t core = house_find_process(house, "core");
    pid_t gate = house_find_process(house, "gate");
    struct terminal *ada = guests_connect(house);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run_reload(house), 0);
        struct terminal *bob = guests_connect(house);
        guests_chat(ada, bob, "I came before");
        guests_chat(bob, ada, "I came afterwards");
        terminal_free(bob);
    }
    assert_int_not_equal(house_find_process(house, "core"), core);
    assert_int_equal(house_find_process(house, "gate"), gate);
    house_expect_log_lines(house, "event=reloaded", 3);
    terminal_free(ada);
}

static void a_reload_makes_core_and_gate_read_the_settings_again(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    write_settings(house, "[house]\nname = The Other Bell\n[door]\ntries = 1\n");
    assert_int_equal(run_reload(house), 0);
    terminal_expect(ada, "The Other Bell");
    const struct connect_setup setup = {.user = "mira"};
    struct terminal *mira = house_connect_by_ssh(house, &setup);
    terminal_expect(mira, "Password:");
    terminal_type(mira, "not the password\r");
    assert_int_equal(terminal_wait_for_end(mira),
                     255); /* the new settings allow only one attempt to sign in */
    terminal_free(mira);
    terminal_free(ada);
}

/* Expects the reload to be refused with these words, long before the time limit of a successful
 * one. */
static void expect_reload_refusal(const struct house_fixture *house, const char *words)
{
    char command[COMMAND_MAX];
    char said[2048] = "";
    snprintf(command, sizeof(command), "exec %s reload --data %s/data 2>&1", getenv("TRICKHOUSE"),
             house->folder);
    long begun_ms = terminal_now_ms();
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof(said) - 1, pipe)] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_in_range(terminal_now_ms() - begun_ms, 0, TERMINAL_DEADLINE_MS);
    if (strstr(said, words) == NULL) {
        fail_msg("said: %s", said);
    }
}

static void an_impossible_reload_is_refused_at_once_and_ends_no_process(void **state)
{
    struct house_fixture *house = *state;
    pid_t core = house_find_process(house, "core");
    struct terminal *ada = guests_connect(house);
    write_settings(house, "[house]\nnaame = The Other Bell\n");
    expect_reload_refusal(house, "house.conf:2: there is no naame in [house]; did you mean name");
    expect_reload_refusal(house, "house.conf:2: there is no naame in [house]; did you mean name");
    assert_int_equal(house_find_process(house, "core"), core);
    house_expect_log_lines(house, "the reload is refused: ", 2);
    struct terminal *bob = guests_connect(house);
    guests_chat(ada, bob, "as before");
    terminal_free(ada);
    terminal_free(bob);
}

static void a_reload_without_its_settings_file_is_refused(void **state)
{
    struct house_fixture *house = *state;
    char path[COMMAND_MAX];
    write_settings(house, "[house]\nname = The Other Bell\n");
    assert_int_equal(run_reload(house), 0);
    struct terminal *ada = guests_connect(house);
    terminal_expect(ada, "The Other Bell");
    snprintf(path, sizeof(path), "%s/data/house.conf", house->folder);
    assert_int_equal(unlink(path), 0);
    expect_reload_refusal(house, "house.conf: No such file or directory");
    assert_int_equal(run_reload(house), 1);
    write_settings(house, "[house]\nname = The Third Bell\n");
    assert_int_equal(run_reload(house), 0);
    terminal_expect(ada, "The Third Bell");
    terminal_free(ada);
}

static void the_command_of_admins_waits_for_the_result_too(void **state)
{
    const struct house_fixture *house = *state;
    struct command_result result;
    char data[COMMAND_MAX];
    const char *const command[] = {getenv("TRICKHOUSE"), "admin", "--data", data, "reload", NULL};
    snprintf(data, sizeof(data), "%s/data", house->folder);
    command_run(house, command, &result);
    command_assert_result(&result, 0, "The house is reloaded");
    write_settings(house, "[house]\nnaame = The Other Bell\n");
    command_run(house, command, &result);
    command_assert_result(&result, 1, "nothing has changed");
}

/* A FIFO that nobody writes, which a program that reads it waits for. */
static void put_fifo(const char *path)
{
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(chmod(path, 0666), 0);
}

static void put_no_key(const char *path)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0644), 0);
}

static void put_setting_in_latin_1(const char *path)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs("[house]\nname = Caf\xe9\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0644), 0);
}

static void put_nothing(const char *path)
{
    assert_int_equal(access(path, F_OK), -1);
}

static void a_reload_tries_all_that_it_needs_and_a_refused_one_changes_nothing(void **state)
{
    static const struct {
        const char *name;
        void (*put)(const char *path);
        const char *words;
    } faults[] = {
        {"house.conf", put_fifo, "house.conf: this is not a regular file"},
        {"house.conf", put_setting_in_latin_1, "house.conf:2: name cannot be \"Caf\""},
        {"house.conf", put_nothing, "house.conf: No such file or directory"},
        {"ssh_host_ed25519_key", put_fifo, "this is not a regular file"},
        {"ssh_host_ed25519_key", put_no_key, "it is no private key, or has a passphrase"},
        {"ssh_host_ed25519_key", put_nothing, "No such file or directory"},
        {"house.log", put_fifo, "house.log: "},
        {"house.db", put_fifo, "house.db: Illegal seek"},
        {"house.db", put_nothing, "house.db: No such file or directory"},
    };
    struct house_fixture *house = *state;
    write_settings(house, "[house]\nname = The Bell\n");
    assert_int_equal(run_reload(house), 0);
    struct terminal *ada = guests_connect(house);
    pid_t core = house_find_process(house, "core");
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        char path[COMMAND_MAX];
        char kept[COMMAND_MAX + 8];
        snprintf(path, sizeof(path), "%s/data/%s", house->folder, faults[i].name);
        snprintf(kept, sizeof(kept), "%s.kept", path);
        assert_int_equal(rename(path, kept), 0);
        faults[i].put(path);
        expect_reload_refusal(house, faults[i].words);
        assert_int_equal(rename(kept, path), 0);
        assert_int_equal(house_find_process(house, "core"), core);
    }
    assert_int_equal(run_reload(house), 0);
    struct terminal *bob = guests_connect(house);
    guests_chat(ada, bob, "as before");
    terminal_free(ada);
    terminal_free(bob);
}

static void a_hangup_reloads_the_house(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    assert_int_equal(kill(house->pid, SIGHUP), 0);
    house_wait_for_log_lines(house, "event=reloaded", 1);
    guests_chat(ada, bob, "after the hangup");
    terminal_free(ada);
    terminal_free(bob);
}

/* Begins to read the data file as soon as its core has closed it, and reads until the next core has
 * waited for that. */
static void read_data_between_cores(const struct house_fixture *house)
{
    char path[COMMAND_MAX];
    sqlite3 *db;
    snprintf(path, sizeof(path), "%s/data/house.db", house->folder);
    while (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
           sqlite3_exec(db, "BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) !=
               SQLITE_OK) {
        sqlite3_close(db);
    }
    house_wait_for_log_lines(house, "the house waits: ", 1);
    sqlite3_close(db);
    _exit(0);
}

static void a_reload_waits_while_another_program_reads_the_data(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    for (int tries = 0; house_count_log_lines(house, "the house waits: ") == 0; tries++) {
        assert_in_range(tries, 0, 20); /* the next core may be faster than the reader */
        pid_t reader = fork();
        if (reader == 0) {
            read_data_between_cores(house);
        }
        assert_int_equal(run_reload(house), 0);
        kill(reader, SIGKILL);
        assert_int_equal(waitpid(reader, NULL, 0), reader);
    }
    guests_chat(ada, bob, "after the wait");
    terminal_free(ada);
    terminal_free(bob);
}

/* A session outlives its gate; the next gate takes it over from the core. */
static void people_stay_when_the_gate_and_then_the_core_end(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    for (int i = 0; i < 2; i++) {
        guests_kill_gate(house, 2);
        guests_chat(ada, bob, "said after the gate");
    }
    assert_int_equal(kill(house_find_process(house, "core"), SIGKILL), 0);
    guests_chat(bob, ada, "said after the core");
    assert_int_equal(run_reload(house), 0);
    guests_chat(ada, bob, "said after the reload");
    /* the gate knows them: one that leaves makes room, and somebody new comes in */
    terminal_free(bob);
    house_wait_for_log_lines(house, "event=unlink", 1);
    bob = guests_connect(house);
    guests_chat(bob, ada, "said by another one");
    terminal_free(bob);
    terminal_free(ada);
}

TEST_GROUP(reload)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everybody_stays_connected_when_a_new_core_takes_over,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(people_stay_when_the_gate_and_then_the_core_end,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_reload_makes_core_and_gate_read_the_settings_again,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(an_impossible_reload_is_refused_at_once_and_ends_no_process,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_reload_without_its_settings_file_is_refused, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(the_command_of_admins_waits_for_the_result_too,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(
            a_reload_tries_all_that_it_needs_and_a_refused_one_changes_nothing, house_set_up,
            house_tear_down),
        cmocka_unit_test_setup_teardown(a_hangup_reloads_the_house, house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_reload_waits_while_another_program_reads_the_data,
                                        house_set_up, house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
