#include "games/macros.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Tests how the owner of a house moderates it from the server and reads its audit log. */

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    return program_make_data_folder(folder, data);
}

static int tear_down_folder(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

static void run_program_and_check(int status, const char *out, const char *err,
                                  const char *const *args)
{
    struct program_run run = program_run(args, NULL);
    if (run.status != status || strstr(run.out, out) == NULL || strstr(run.err, err) == NULL) {
        fail_msg("status %d, said \"%s\" and \"%s\"", run.status, run.out, run.err);
    }
    program_clear(&run);
}

#define ADMIN(...) ARGS("admin", "--data", data, __VA_ARGS__)

/* True if the output contains the line; the output may break the line at blanks. */
static bool output_contains_line(const char *out, const char *line)
{
    bool is_begin = true;
    for (; *line != '\0'; line++, is_begin = false) {
        if (*line != *out && !(*line == ' ' && *out == '\n')) {
            return false;
        }
        out += *line == ' ' && !is_begin ? strspn(out, " \n") : 1;
    }
    return *out == '\n';
}

static void assert_output_contains_line(const char *out, const char *line)
{
    for (const char *at = out; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (output_contains_line(at, line)) {
            return;
        }
    }
    fail_msg("\"%s\" is missing in:\n%s", line, out);
}

static void every_moderation_command_is_listed(void **state)
{
    (void)state;
    const char *const *const asked[] = {ARGS("admin"), ARGS("admin", "--data", data),
                                        ARGS("admin", "help")};
    const struct mod_command_info *words;
    for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
        struct program_run run = program_run(asked[i], NULL);
        assert_int_equal(run.status, 0);
        for (size_t at = 0; (words = mod_command_info_at(at)) != NULL; at++) {
            char line[600];
            snprintf(line, sizeof line, "%s%s%s: %s", words->name,
                     words->args[0] == '\0' ? "" : " ", words->args, words->help);
            assert_output_contains_line(run.out, line);
        }
        program_clear(&run);
    }
}

static void the_owner_moderates_and_the_audit_log_records_it(void **state)
{
    (void)state;
    run_program_and_check(
        0, "is open", "",
        ARGS("serve", "--data", data, "--ssh-port", "0", "--bind", "127.0.0.1", "--detach"));
    run_program_and_check(0, "closed: strangers", "", ADMIN("registration", "closed"));
    run_program_and_check(0, "192.0.2.0/24 is banned", "",
                          ADMIN("ban", "ip=192.0.2.0/24", "7d", "a", "flood"));
    run_program_and_check(0, "a flood", "", ADMIN("banlist"));
    run_program_and_check(0, "\"is_whole\":true", "", ADMIN("--json", "audit", "verify"));
    run_program_and_check(1, "", "Say why", ADMIN("ban", "ip=192.0.2.0/24", "7d"));
    run_program_and_check(5, "", "Nobody is called", ADMIN("mute", "nobody", "1h", "why"));
    run_program_and_check(5, "", "no such command", ADMIN("behead", "bob"));
    run_program_and_check(4, "", "with --yes", ADMIN("ban", "ip=10.0.0.0/8", "7d", "a", "flood"));
    run_program_and_check(4, "\"code\":\"confirm\"", "",
                          ADMIN("--json", "ban", "ip=10.0.0.0/8", "7d", "a", "flood"));
    run_program_and_check(5, "\"code\":\"unknown\"", "", ADMIN("--json", "behead", "bob"));
    run_program_and_check(1, "\"code\":\"reason\"", "",
                          ADMIN("--json", "ban", "ip=192.0.2.0/24", "7d"));
    run_program_and_check(0, "the owner (owner, system)", "", ADMIN("audit", "verb=ban"));
    run_program_and_check(0, "as they were written", "", ADMIN("audit", "--verify"));
    run_program_and_check(0, "backups/house-", "", ADMIN("backup"));
    run_program_and_check(0, "is closed", "", ARGS("stop", "--data", data));
    run_program_and_check(1, "", "no open house", ADMIN("stats"));
    run_program_and_check(1, "\"code\":\"closed\"", "", ADMIN("--json", "stats"));
    run_program_and_check(0, "\"is_whole\":true", "", ADMIN("--json", "audit", "--verify"));
    run_program_and_check(0, "as they were written", "", ADMIN("audit", "--verify"));
}

static void verification_of_the_audit_log_names_a_changed_row(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX + 16];
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/house.db", data);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP TRIGGER audit_changes_nothing;"
                                  "UPDATE audit SET reason = 'no reason' WHERE verb = 'ban'"
                                  " AND result = 'ok'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    run_program_and_check(1, "Row 2 ", "", ADMIN("audit", "--verify"));
}

static void the_shutdown_command_closes_the_house(void **state)
{
    (void)state;
    run_program_and_check(
        0, "is open", "",
        ARGS("serve", "--data", data, "--ssh-port", "0", "--bind", "127.0.0.1", "--detach"));
    run_program_and_check(1, "Row 2 ", "", ADMIN("audit", "--verify"));
    run_program_and_check(0, "closes in 0 min", "", ADMIN("shutdown", "0", "new", "cables"));
    bool is_closed = false;
    for (int i = 0; i < 600 && !is_closed; i++) {
        struct program_run run = program_run(ARGS("status", "--data", data), NULL);
        is_closed = strstr(run.out, "No house is open") != NULL;
        program_clear(&run);
        (void)poll(NULL, 0, is_closed ? 0 : 100);
    }
    assert_true(is_closed);
}

TEST_GROUP(admin)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_moderation_command_is_listed),
        cmocka_unit_test(the_owner_moderates_and_the_audit_log_records_it),
        cmocka_unit_test(verification_of_the_audit_log_names_a_changed_row),
        cmocka_unit_test(the_shutdown_command_closes_the_house),
    };
    return cmocka_run_group_tests(tests, set_up_folder, tear_down_folder);
}
