#include "games/game.h"
#include "lobby/house/house.h"
#include "lobby/house/parts.h"
#include "storage/copies.h"
#include "storage/sql/sql.h"
#include "tests/lobby/evening.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Missing data, found at the start or later, affect only the table, request or job that needs the
 * data. */

struct written {
    char lines[4096];
};

/* Appends as much of `words` to the collected log lines as fits. */
static void add_log_words(struct written *written, const char *words)
{
    size_t len = strlen(written->lines);
    (void)snprintf(written->lines + len, sizeof(written->lines) - len, "%s", words);
}

static void keep_log_line(void *context, int64_t conn, const char *event, const char *const *pairs)
{
    struct written *written = context;
    (void)conn;
    add_log_words(written, event);
    for (size_t i = 0; pairs[i] != NULL; i += 2) {
        add_log_words(written, " ");
        add_log_words(written, pairs[i]);
        add_log_words(written, "=");
        add_log_words(written, pairs[i + 1] == NULL ? "" : pairs[i + 1]);
    }
    add_log_words(written, "\n");
}

static struct written written;

static void restore_evening_house_and_keep_log(struct driver *driver)
{
    written.lines[0] = '\0';
    driver->config.log = keep_log_line;
    driver->config.log_context = &written;
    evening_restore_house(driver);
}

static void damage_data_with_sql(struct driver *driver, const char *statement)
{
    driver_commit(driver);
    assert_int_equal(
        sqlite3_exec(driver->storage->db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_exec(driver->storage->db, statement, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(driver->storage->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
}

static void expect_logged(const char *words)
{
    if (strstr(written.lines, words) == NULL) {
        fail_msg("the log has no \"%s\":\n%s", words, written.lines);
    }
}

static void send_hello(struct driver *driver, int64_t conn)
{
    assert_non_null(driver_newest_message(driver, conn, "resync"));
    driver_clear_inbox(driver, conn);
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':3,'lobby':true}"),
                     HOUSE_OK);
    driver_pass_time(driver, 1000);
}

static bool is_table_shown_to_conn(const struct driver *driver, int64_t conn, int64_t table)
{
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(json_object_get(driver_newest_message(driver, conn, "lobby"), "tables"), i,
                       row)
    {
        if (driver_read_number(row, "id") == table) {
            return true;
        }
    }
    return false;
}

static void a_table_with_missing_data_is_closed_and_the_others_continue(void **state)
{
    struct driver *driver = *state;
    restore_evening_house_and_keep_log(driver);
    damage_data_with_sql(driver, "DELETE FROM tables WHERE id = " EVENING_RUN);
    driver_ok(driver, EVE, "{'t':'say','to':'lobby','kind':'say','text':'fine so far'}");
    (void)driver_request(driver, BOB, "{'t':'pause'}");
    expect_logged("fault why=FOREIGN KEY constraint failed (787) table=" EVENING_RUN);
    expect_logged("table-closed table=" EVENING_RUN);
    send_hello(driver, BOB);
    send_hello(driver, EVE);
    assert_null(driver_newest_message(driver, BOB, "table"));
    assert_true(is_table_shown_to_conn(driver, ADA, 1) || is_table_shown_to_conn(driver, EVE, 1));
    assert_false(is_table_shown_to_conn(driver, EVE, 3));
    assert_true(driver_count_messages_with_words(driver, BOB, "chat", "#" EVENING_RUN));
    assert_true(driver_count_messages_with_words(driver, EVE, "chat", "fine so far"));
    assert_non_null(driver_newest_message(driver, EVE, "table"));
    evening_restart_core(driver, (const int64_t[]){BOB, EVE}, 2);
    assert_false(is_table_shown_to_conn(driver, BOB, 3));
}

static void a_table_that_cannot_be_restored_is_closed(void **state)
{
    struct driver *driver = *state;
    sqlite3 *db = NULL;
    restore_evening_house_and_keep_log(driver);
    assert_int_equal(sqlite3_open(evening_copy_database_file(driver), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA foreign_keys = OFF;"
                                  "UPDATE table_seats SET account = 99 WHERE table_id = 7",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_true(evening_house_survives_changed_file(driver));
    expect_logged("table-closed table=7");
}

static void after_a_fault_a_connection_whose_account_is_missing_is_signed_out(void **state)
{
    struct driver *driver = *state;
    restore_evening_house_and_keep_log(driver);
    damage_data_with_sql(driver, "DELETE FROM accounts WHERE name = 'uma'");
    int64_t request = driver->next_id;
    assert_null(driver_request(driver, UMA, "{'t':'settings_set','settings':{'bell':true}}"));
    expect_logged("fault why=a required row is missing");
    send_hello(driver, BOB);
    driver_ok(driver, BOB, "{'t':'ping'}");
    /* Uma has no account now, so the next core treats her connection as signed out. */
    send_hello(driver, UMA);
    assert_string_equal(driver_read_text(driver_newest_message(driver, UMA, "welcome"), "phase"),
                        "door");
    (void)request;
}

static void a_request_that_caused_a_fault_is_refused_when_repeated(void **state)
{
    struct driver *driver = *state;
    restore_evening_house_and_keep_log(driver);
    damage_data_with_sql(
        driver, "CREATE TRIGGER none BEFORE INSERT ON friends BEGIN SELECT raise(ABORT, 'x'); END");
    int64_t request = driver->next_id;
    driver_ok(driver, BOB, "{'t':'ping'}");
    assert_null(driver_request(driver, BOB, "{'t':'friend_add','name':'eve'}"));
    send_hello(driver, BOB);
    assert_int_equal(
        driver_send(driver, BOB, "{'t':'friend_add','name':'eve','id':%" PRId64 "}", request + 1),
        HOUSE_OK);
    const json_t *answer = driver_find_answer(driver, BOB, request + 1);
    assert_string_equal(driver_read_text(answer, "code"), "failed");
    driver_ok(driver, BOB, "{'t':'ping'}");
}

static void a_background_job_that_causes_a_fault_pauses_and_is_retried(void **state)
{
    struct driver *driver = *state;
    restore_evening_house_and_keep_log(driver);
    damage_data_with_sql(driver, "CREATE TRIGGER none BEFORE UPDATE ON sanctions"
                                 " BEGIN SELECT raise(ABORT, 'x'); END");
    driver_pass_time(
        driver,
        2 * 86400000); /* dan's mute should end meanwhile, but an SQL trigger prevents that */
    assert_int_equal(driver->result, HOUSE_OK);
    expect_logged("part=sanctions");
    damage_data_with_sql(driver, "DROP TRIGGER none");
    driver_pass_time(driver, FAULT_REST_MS);
    send_hello(driver, DAN);
    driver_ok(driver, DAN, "{'t':'say','to':'table','kind':'say','text':'again'}");
}

static void a_fault_in_a_timer_of_a_table_closes_that_table_and_no_part_pauses(void **state)
{
    struct driver *driver = *state;
    restore_evening_house_and_keep_log(driver);
    damage_data_with_sql(driver, "CREATE TRIGGER none BEFORE INSERT ON player_times"
                                 " BEGIN SELECT raise(ABORT, 'x'); END");
    driver_disconnect(driver, JON);
    driver_disconnect(driver, DAN);
    driver_pass_time(driver, 8 * DAY_MS); /* whoever misses a deadline should get a respite */
    assert_int_equal(driver->result, HOUSE_OK);
    expect_logged("table-closed table=" EVENING_DAYS);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        assert_int_equal(driver->house->part_paused_ms[i], 0);
    }
    send_hello(driver, BOB);
    assert_non_null(driver_newest_message(driver, BOB, "table"));
}

static void data_that_cannot_be_loaded_is_reported_with_the_reason(void **state)
{
    struct driver *driver = *state;
    sqlite3 *db = NULL;
    restore_evening_house_and_keep_log(driver);
    const char *path = evening_copy_database_file(driver);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE tables SET host_name = hex(zeroblob(99))", NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(db);
    driver_try_start_house_on_copy(driver, path);
    assert_null(driver->house);
    expect_logged("unreadable why=a stored value does not have the size it was written with");
    evening_restore_house(driver);
}

struct findings {
    char words[1024];
};

static void add_finding(void *context, const char *words)
{
    struct findings *findings = context;
    size_t len = strlen(findings->words);
    (void)snprintf(findings->words + len, sizeof(findings->words) - len, "%s\n", words);
}

/* Checks the data as `trickhouse check-data` does. */
static bool check_damaged_copy(struct driver *driver, const char *statement,
                               struct findings *findings, char why[STORAGE_WHY_SIZE])
{
    struct storage *copy = NULL;
    sqlite3 *db = NULL;
    const char *path = evening_copy_database_file(driver);
    findings->words[0] = '\0';
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(storage_open_temporary_copy(path, &copy, why), STORAGE_OK);
    bool is_good = house_check(copy, driver->now_ms, add_finding, findings, why);
    storage_close(copy);
    /* The check has not changed the file. */
    assert_int_equal(storage_open_temporary_copy(path, &copy, why), STORAGE_OK);
    struct findings again = {""};
    assert_int_equal(house_check(copy, driver->now_ms, add_finding, &again, why), is_good);
    assert_string_equal(again.words, findings->words);
    storage_close(copy);
    return is_good;
}

static void a_data_check_reports_what_a_core_would_do_with_the_damaged_data(void **state)
{
    struct driver *driver = *state;
    struct findings findings;
    char why[STORAGE_WHY_SIZE];
    assert_true(check_damaged_copy(driver, "SELECT 1", &findings, why));
    assert_string_equal(findings.words, "");
    assert_true(check_damaged_copy(driver, "DELETE FROM moves WHERE game_id = 3 AND step = 4",
                                   &findings, why));
    assert_string_equal(findings.words, "table #3 would be closed: its game cannot be replayed\n");
    assert_true(check_damaged_copy(driver, "UPDATE tables SET game = 'chess' WHERE id = 6",
                                   &findings, why));
    assert_non_null(strstr(findings.words, "table #6 would be left out: its game \"chess\""));
    assert_false(check_damaged_copy(driver, "UPDATE tables SET host_name = hex(zeroblob(99))",
                                    &findings, why));
    assert_non_null(strstr(why, "a stored value does not have the size it was written with"));
}

TEST_GROUP(fault)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_with_missing_data_is_closed_and_the_others_continue),
        cmocka_unit_test(a_table_that_cannot_be_restored_is_closed),
        cmocka_unit_test(after_a_fault_a_connection_whose_account_is_missing_is_signed_out),
        cmocka_unit_test(a_request_that_caused_a_fault_is_refused_when_repeated),
        cmocka_unit_test(a_background_job_that_causes_a_fault_pauses_and_is_retried),
        cmocka_unit_test(a_fault_in_a_timer_of_a_table_closes_that_table_and_no_part_pauses),
        cmocka_unit_test(data_that_cannot_be_loaded_is_reported_with_the_reason),
        cmocka_unit_test(a_data_check_reports_what_a_core_would_do_with_the_damaged_data),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
