#include "tests/cluster/copy_fixture.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* `trickhouse cluster copy` and `check-data` with the URL of a real PostgreSQL server. */

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];

/* Runs the program, and checks its status and that its output has these words. The password of the
 * URL must not be there. */
static void run_and_check(int status, const char *out, const char *err, const char *const *args)
{
    char password[POSTGRES_RIG_URL_SIZE];
    const char *begin = strchr(copy_fixture_url + strlen("postgresql://"), ':') + 1;
    (void)snprintf(password, sizeof password, "%.*s", (int)strcspn(begin, "@"), begin);
    struct program_run run = program_run(args, NULL);
    if (run.status != status || strstr(run.out, out) == NULL || strstr(run.err, err) == NULL) {
        fail_msg("status %d, out \"%s\", err \"%s\"", run.status, run.out, run.err);
    }
    assert_null(strstr(run.out, password));
    assert_null(strstr(run.err, password));
    program_clear(&run);
}

static void open_house(void)
{
    run_and_check(0, "", "",
                  ARGS("serve", "--data", data, "--ssh-port=0", "--bind=127.0.0.1", "--detach"));
}

static void close_house(void)
{
    run_and_check(0, "", "", ARGS("stop", "--data", data));
}

/* Makes the data of a house whose audit log has a row. */
static void make_house(void)
{
    open_house();
    run_and_check(0, "", "", ARGS("admin", "--data", data, "motd", "hello"));
    close_house();
}

static void an_open_house_is_not_copied(void **state)
{
    char database[FOLDER_PATH_MAX];
    (void)state;
    folder_write_path(database, data, "house.db");
    open_house();
    run_and_check(1, "", "the house is open: close it first",
                  ARGS("cluster", "copy", data, copy_fixture_url));
    run_and_check(1, "", "the house is open: close it first",
                  ARGS("cluster", "copy", database, copy_fixture_url));
    close_house();
}

static void a_closed_house_moves_to_postgresql_and_back(void **state)
{
    char back[FOLDER_PATH_MAX];
    (void)state;
    folder_write_path(back, folder, "back.db");
    make_house();
    run_and_check(0, "accounts: 21 rows, all equal\n", "",
                  ARGS("cluster", "copy", data, copy_fixture_url));
    run_and_check(1, "", "the database has a house already",
                  ARGS("cluster", "copy", data, copy_fixture_url));
    run_and_check(0, "All 1 rows of the audit log are as they were written.", "",
                  ARGS("check-data", "--games", "--audit", copy_fixture_url));
    run_and_check(0, "every row was compared", "", ARGS("cluster", "copy", copy_fixture_url, back));
    run_and_check(0, "is sound", "", ARGS("check-data", "--audit", back));
    run_and_check(1, "", "there is a file of this name already",
                  ARGS("cluster", "copy", copy_fixture_url, back));
    run_and_check(0, "Restored.", "", ARGS("restore", "--data", data, back));
    open_house();
    close_house();
}

static void a_backup_is_copied_while_its_house_is_open(void **state)
{
    (void)state;
    open_house();
    struct program_run made = program_run(ARGS("backup", "--data", data), NULL);
    assert_int_equal(made.status, 0);
    made.out[strcspn(made.out, "\n")] = '\0';
    run_and_check(0, "every row was compared", "",
                  ARGS("cluster", "copy", made.out, copy_fixture_url));
    program_clear(&made);
    close_house();
}

static void a_changed_audit_log_is_found_in_postgresql(void **state)
{
    (void)state;
    make_house();
    run_and_check(0, "", "", ARGS("cluster", "copy", data, copy_fixture_url));
    copy_fixture_change_database("ALTER TABLE audit DISABLE TRIGGER USER;"
                                 "UPDATE audit SET note = 'x' WHERE id = 1;"
                                 "ALTER TABLE audit ENABLE TRIGGER USER");
    run_and_check(0, "is sound", "", ARGS("check-data", copy_fixture_url));
    run_and_check(1, "is sound", "Row 1 of the audit log was changed",
                  ARGS("check-data", "--audit", copy_fixture_url));
}

/* Account 1 is a bot of the house. */
static void what_is_kept_about_an_account_is_exported_from_postgresql(void **state)
{
    (void)state;
    make_house();
    run_and_check(0, "", "", ARGS("cluster", "copy", data, copy_fixture_url));
    run_and_check(0, "\"format\": \"trickhouse-export\"", "",
                  ARGS("export", "otto", copy_fixture_url));
    run_and_check(1, "", "no account has this name", ARGS("export", "nobody", copy_fixture_url));
}

static void the_nodes_are_shown_and_an_older_copy_is_accepted(void **state)
{
    (void)state;
    make_house();
    run_and_check(0, "", "", ARGS("cluster", "copy", data, copy_fixture_url));
    run_and_check(0, "{\"holder\":null,\"nodes\":[]}", "",
                  ARGS("cluster", "status", "--json", copy_fixture_url));
    copy_fixture_change_database("UPDATE cluster.leases SET steps = 5");
    run_and_check(0, "The nodes take the house", "", ARGS("cluster", "accept", copy_fixture_url));
    copy_fixture_change_database("DO $$ BEGIN ASSERT (SELECT steps > 1000000000000"
                                 " FROM cluster.leases); END $$");
}

static void a_strange_schema_is_found_in_postgresql(void **state)
{
    (void)state;
    make_house();
    run_and_check(0, "", "", ARGS("cluster", "copy", data, copy_fixture_url));
    copy_fixture_change_database("CREATE RULE quiet AS ON UPDATE TO news DO INSTEAD NOTHING");
    run_and_check(1, "", "no house makes: rule news.quiet", ARGS("check-data", copy_fixture_url));
    copy_fixture_change_database("DROP RULE quiet ON news");
    run_and_check(0, "is sound", "", ARGS("check-data", copy_fixture_url));
}

static void what_cannot_be_copied_is_refused_with_a_reason(void **state)
{
    (void)state;
    run_and_check(1, "", "No such file", ARGS("cluster", "copy", "/no/file", copy_fixture_url));
    run_and_check(1, "", "does not hold the data of a house", ARGS("check-data", copy_fixture_url));
    program_expect_usage_error(ARGS("cluster"), "the first word must be copy");
    program_expect_usage_error(ARGS("cluster", "move"), "the first word must be copy");
    program_expect_usage_error(ARGS("cluster", "copy", data), "a file and a URL");
    program_expect_usage_error(ARGS("cluster", "copy", data, data), "a file and a URL");
}

static int make_folder(void **state)
{
    return copy_fixture_setup(state) == 0 ? program_make_data_folder(folder, data) : -1;
}

static int remove_folder(void **state)
{
    return program_remove_data_folder(folder, data) == 0 ? fixture_teardown(state) : -1;
}

#define COMMAND_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

TEST_GROUP(command)
{
    const struct CMUnitTest tests[] = {
        COMMAND_TEST(an_open_house_is_not_copied),
        COMMAND_TEST(a_closed_house_moves_to_postgresql_and_back),
        COMMAND_TEST(a_backup_is_copied_while_its_house_is_open),
        COMMAND_TEST(what_is_kept_about_an_account_is_exported_from_postgresql),
        COMMAND_TEST(the_nodes_are_shown_and_an_older_copy_is_accepted),
        COMMAND_TEST(a_strange_schema_is_found_in_postgresql),
        COMMAND_TEST(a_changed_audit_log_is_found_in_postgresql),
        COMMAND_TEST(what_cannot_be_copied_is_refused_with_a_reason),
    };
    return COPY_FIXTURE_RUN(tests);
}
