#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/cli/stored_account.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Tests that what a house keeps about a person can be exported, whether the house is open or not.
 * What an export contains is tested by storage/accounts/account_export. */

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];

static void run_successfully(const char *const *args)
{
    struct program_run run = program_run(args, NULL);
    if (run.status != 0) {
        fail_msg("%s: status %d, said %s", args[0], run.status, run.err);
    }
    program_clear(&run);
}

static void open_house(void)
{
    run_successfully(ARGS("serve", "--data", data, "--ssh-port=0", "--bind=127.0.0.1", "--detach"));
}

/* Makes a closed house that has an account named ada. */
static int set_up(void **state)
{
    (void)state;
    char database[FOLDER_PATH_MAX + 16];
    if (program_make_data_folder(folder, data) != 0) {
        return -1;
    }
    open_house();
    run_successfully(ARGS("stop", "--data", data));
    snprintf(database, sizeof database, "%s/house.db", data);
    stored_account_add(database, "ada");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

static void expect_export_of_ada(const char *source)
{
    struct program_run run = program_run(ARGS("export", "ada", source), NULL);
    if (run.status != 0) {
        fail_msg("status %d, said %s", run.status, run.err);
    }
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    const json_t *account = json_object_get(document, "account");
    assert_string_equal(json_string_value(json_object_get(document, "format")),
                        "trickhouse-export");
    assert_int_equal(json_integer_value(json_object_get(document, "version")), 1);
    assert_true(json_integer_value(json_object_get(document, "exported_ms")) > 0);
    assert_string_equal(json_string_value(json_object_get(account, "name")), "ada");
    assert_true(json_is_false(json_object_get(account, "has_password")));
    assert_true(json_is_object(json_object_get(account, "settings")));
    assert_true(json_is_array(json_object_get(document, "chat")));
    json_decref(document);
    program_clear(&run);
}

static void an_account_is_exported_from_a_closed_house(void **state)
{
    (void)state;
    expect_export_of_ada(data);
}

static void an_account_is_exported_from_an_open_house(void **state)
{
    (void)state;
    open_house();
    expect_export_of_ada(data);
    run_successfully(ARGS("stop", "--data", data));
}

static void an_account_is_exported_from_a_backup(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("backup", "--data", data), NULL);
    assert_int_equal(run.status, 0);
    run.out[strcspn(run.out, "\n")] = '\0';
    expect_export_of_ada(run.out);
    program_clear(&run);
}

static void a_name_that_no_account_has_is_refused(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("export", "bob", data), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.out, "");
    assert_non_null(strstr(run.err, "no account has this name"));
    program_clear(&run);
}

static void a_missing_file_is_reported(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("export", "ada", "/nowhere/at/all"), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.out, "");
    assert_non_null(strstr(run.err, "/nowhere/at/all"));
    program_clear(&run);
}

static void an_export_needs_a_name_and_a_file(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("export", "ada"), "NAME and a FILE");
    program_expect_usage_error(ARGS("export", "ada", data, data), "NAME and a FILE");
}

#define EXPORT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_GROUP(export)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(an_account_is_exported_from_a_closed_house),
        EXPORT_TEST(an_account_is_exported_from_an_open_house),
        EXPORT_TEST(an_account_is_exported_from_a_backup),
        EXPORT_TEST(a_name_that_no_account_has_is_refused),
        EXPORT_TEST(a_missing_file_is_reported),
        EXPORT_TEST(an_export_needs_a_name_and_a_file),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
