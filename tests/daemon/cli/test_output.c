#include "daemon/cli/cli.h"
#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/cli/stored_account.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ARGS_MAX 8

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];
static char history[FOLDER_PATH_MAX + 16];
static char backup[FOLDER_PATH_MAX + 64];

/* Every subcommand that people use, with arguments with which it succeeds and prints something.
 * Earlier subcommands make the files that later ones need. `cluster` needs a PostgreSQL server:
 * tests/cluster/test_command.c runs it. */
static const struct {
    const char *args[ARGS_MAX];
} lines[] = {
    {{"--help"}},
    {{"--version"}},
    {{"help", "serve"}},
    {{"simulate", "oh-hell", "--players", "4"}},
    {{"replay", history}},
    {{"verify", history}},
    {{"bench", "bots", "oh-hell", "--players=3", "--bots=random", "--deals=1"}},
    {{"check-config"}},
    {{"check-config", "--sample"}},
    {{"check-config", "--manual"}},
    {{"serve", "--data", data, "--ssh-port=0", "--bind=127.0.0.1", "--detach"}},
    {{"status", "--data", data}},
    {{"metrics", "--data", data}},
    {{"admin"}},
    {{"admin", "--data", data, "stats"}},
    {{"backup", "--data", data}},
    {{"reload", "--data", data}},
    {{"stop", "--data", data}},
    {{"admin", "--data", data, "audit", "verify"}},
    {{"backup", "--data", data}},
    {{"check-data", backup}},
    {{"export", "ada", backup}},
    {{"restore", "--data", data, backup}},
};

static void run_program_successfully(const char *const *args, char *out, size_t size)
{
    struct program_run run = program_run(args, NULL);
    if (run.status != 0) {
        fail_msg("%s: status %d, said %s", args[0], run.status, run.err);
    }
    if (out != NULL) {
        snprintf(out, size, "%.*s", (int)strcspn(run.out, "\n"), run.out);
    }
    program_clear(&run);
}

/* Makes a file with one game, and a backup of a house in which ada has an account. */
static int set_up(void **state)
{
    (void)state;
    char database[FOLDER_PATH_MAX + 16];
    if (program_make_data_folder(folder, data) != 0) {
        return -1;
    }
    snprintf(history, sizeof history, "%s/games.jsonl", folder);
    int file = open(history, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    struct program_setup setup = {.out_fd = file};
    struct program_run run = program_run(ARGS("simulate", "oh-hell", "--players", "4"), &setup);
    close(file);
    assert_int_equal(run.status, 0);
    program_clear(&run);
    run_program_successfully(
        ARGS("serve", "--data", data, "--ssh-port=0", "--bind=127.0.0.1", "--detach"), NULL, 0);
    run_program_successfully(ARGS("stop", "--data", data), NULL, 0);
    snprintf(database, sizeof database, "%s/house.db", data);
    stored_account_add(database, "ada");
    run_program_successfully(ARGS("backup", "--data", data), backup, sizeof backup);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

static const struct subcommand subcommands[] = {
#define SUBCOMMAND(row, word, arguments, sentence, ...)                                            \
    {.name = (word), .args = (arguments), .help = (sentence), __VA_ARGS__},
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND
};

static void this_test_runs_every_subcommand(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
        const struct subcommand *command = &subcommands[i];
        bool is_tried = command->is_internal || strcmp(command->name, "cluster") == 0;
        for (size_t line = 0; line < ARRAY_LEN(lines); line++) {
            is_tried = is_tried || strcmp(lines[line].args[0], command->name) == 0;
        }
        if (!is_tried) {
            fail_msg("%s is not among the lines of this test", command->name);
        }
    }
}

/* Runs every subcommand with this descriptor as standard output (-1: closed). */
static void run_all_subcommands_with_output(int out_fd)
{
    struct program_setup setup = {.out_fd = out_fd};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct program_run run = program_run(lines[i].args, &setup);
        const char *end = strstr(run.err, ": cannot write the output: ");
        if (run.status != 1 || end == NULL || strstr(end + 10, "cannot write") != NULL) {
            fail_msg("%s: status %d, said \"%s\"", lines[i].args[0], run.status, run.err);
        }
        program_clear(&run);
    }
}

static void a_full_standard_output_makes_every_subcommand_fail_and_say_so(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0);
    run_all_subcommands_with_output(full);
    close(full);
}

static void a_closed_standard_output_makes_every_subcommand_fail_and_say_so(void **state)
{
    (void)state;
    run_all_subcommands_with_output(-1);
    run_program_successfully(ARGS("check-data", "--games", backup), NULL,
                             0); /* no output was written into the backup */
}

static void every_subcommand_has_a_help_text(void **state)
{
    (void)state;
    struct program_run list = program_run(ARGS("--help"), NULL);
    for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
        const struct subcommand *command = &subcommands[i];
        char line[200];
        snprintf(line, sizeof line, "\n  %-12s %s\n", command->name, command->help);
        assert_int_equal(strstr(list.out, line) == NULL, command->is_internal);
        struct program_run one = program_run(ARGS("help", command->name), NULL);
        struct program_run two = program_run(ARGS(command->name, "--help"), NULL);
        assert_int_equal(one.status, 0);
        assert_string_equal(one.out, two.out);
        snprintf(line, sizeof line, "usage: trickhouse %s ", command->name);
        assert_ptr_equal(strstr(one.out, line), one.out);
        assert_non_null(strstr(one.out, command->args));
        assert_non_null(strstr(one.out, command->help));
        program_clear(&one);
        program_clear(&two);
    }
    program_clear(&list);
}

TEST_GROUP(output)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_test_runs_every_subcommand),
        cmocka_unit_test(every_subcommand_has_a_help_text),
        cmocka_unit_test_setup_teardown(
            a_full_standard_output_makes_every_subcommand_fail_and_say_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_closed_standard_output_makes_every_subcommand_fail_and_say_so, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
