#include "storage/mod/mod.h"
#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static void add_audit_row(struct fixture *fixture, const char *verb, const char *target)
{
    const struct storage_audit row = {
        .at_ms = 1000, .actor_name = "max", .verb = verb, .target_name = target, .result = "ok"};
    int64_t id = 0;
    assert_ok(storage_audit_add(fixture->storage, &row, &id));
}

static void add_five_audit_rows(struct fixture *fixture)
{
    for (int i = 0; i < 5; i++) {
        add_audit_row(fixture, "mute", "bob");
    }
    fixture_commit(fixture);
}

static struct storage_audit_check verify_audit_log(struct fixture *fixture)
{
    struct storage_audit_check check;
    assert_ok(storage_audit_verify(fixture->storage, 1, 1000, &check));
    return check;
}

static bool run_script_in_file(const char *path, const char *script)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    const bool is_done = sqlite3_exec(db, script, NULL, NULL, NULL) == SQLITE_OK;
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return is_done;
}

/* Runs an SQL script on the data, as somebody with access to them could; returns whether the
 * database allowed it. */
static bool run_script(struct fixture *fixture, const char *script)
{
    storage_close(fixture->storage);
    fixture->storage = NULL;
    const bool is_done = fixture_is_postgres() ? postgres_schema_run(fixture->path, script)
                                               : run_script_in_file(fixture->path, script);
    char why[STORAGE_WHY_SIZE];
    assert_ok(storage_open(fixture->path, &fixture->storage, why));
    return is_done;
}

/* Runs an SQL script without the triggers that protect the log. */
static void forge(struct fixture *fixture, const char *script)
{
    char forgery[1024];
    (void)snprintf(forgery, sizeof forgery, "%s%s",
                   fixture_is_postgres() ? "SET session_replication_role = replica;"
                                         : "DROP TRIGGER IF EXISTS audit_keeps_rows;"
                                           "DROP TRIGGER IF EXISTS audit_changes_nothing;"
                                           "DROP TRIGGER IF EXISTS audit_only_seals;",
                   script);
    assert_true(run_script(fixture, forgery));
}

static void every_audit_row_is_chained_to_the_row_before(void **state)
{
    struct fixture *fixture = *state;
    struct storage_audit_check check = verify_audit_log(fixture);
    assert_int_equal(check.bad, 0);
    assert_int_equal(check.rows, 0);
    add_five_audit_rows(fixture);
    check = verify_audit_log(fixture);
    assert_int_equal(check.state, STORAGE_AUDIT_WHOLE);
    assert_int_equal(check.rows, 5);
    assert_int_equal(check.next, 0);
}

static void the_audit_log_can_be_checked_in_parts(void **state)
{
    struct fixture *fixture = *state;
    struct storage_audit_check check;
    add_five_audit_rows(fixture);
    assert_ok(storage_audit_verify(fixture->storage, 1, 3, &check));
    assert_int_equal(check.next, 4);
    assert_ok(storage_audit_verify(fixture->storage, 4, 3, &check));
    assert_int_equal(check.bad, 0);
    assert_int_equal(check.next, 0);
}

static void a_rolled_back_audit_row_leaves_no_gap(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    add_audit_row(fixture, "ban", "eve");
    storage_rollback(fixture->storage);
    add_audit_row(fixture, "ban", "bob");
    fixture_commit(fixture);
    assert_int_equal(verify_audit_log(fixture).rows, 6);
    assert_int_equal(verify_audit_log(fixture).bad, 0);
}

static void updating_or_deleting_an_audit_row_is_refused(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    assert_false(run_script(fixture, "UPDATE audit SET reason = 'other' WHERE id = 3"));
    assert_false(run_script(fixture, "DELETE FROM audit WHERE id = 3"));
    assert_false(run_script(fixture, fixture_is_postgres()
                                         ? "INSERT INTO audit SELECT * FROM audit WHERE id = 3"
                                           " ON CONFLICT (id) DO UPDATE SET reason = 'other'"
                                         : "INSERT OR REPLACE INTO audit SELECT * FROM audit"
                                           " WHERE id = 3"));
    assert_int_equal(verify_audit_log(fixture).bad, 0);
}

#define COMMA ,
#define KIND(...) STORAGE_COLUMN(KIND_OF, __VA_ARGS__)
#define KIND_OF(how, type, after, last, member, column) #how

static void a_changed_audit_row_is_detected(void **state)
{
    static const char *const columns[] = {STORAGE_AUDIT_COLUMNS(ROW_NAME, COMMA ROW_NAME)};
    static const char *const kinds[] = {STORAGE_AUDIT_COLUMNS(KIND, COMMA KIND)};
    struct fixture *fixture = *state;
    char script[256];
    add_five_audit_rows(fixture);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const char *name = columns[i];
        const bool is_number = strcmp(kinds[i], "INTEGER") == 0;
        (void)snprintf(script, sizeof script, "UPDATE audit SET %s = %s %s WHERE id = 3", name,
                       name, is_number ? "+ 1" : "|| 'x'");
        forge(fixture, script);
        const struct storage_audit_check check = verify_audit_log(fixture);
        assert_int_equal(check.bad, 3);
        assert_int_equal(check.state, STORAGE_AUDIT_CHANGED);
        (void)snprintf(script, sizeof script,
                       is_number
                           ? "UPDATE audit SET %s = %s - 1 WHERE id = 3"
                           : "UPDATE audit SET %s = substr(%s, 1, length(%s) - 1) WHERE id = 3",
                       name, name, name);
        forge(fixture, script);
        assert_int_equal(verify_audit_log(fixture).bad, 0);
    }
}

static void moving_bytes_between_two_columns_of_an_audit_row_is_detected(void **state)
{
    struct fixture *fixture = *state;
    add_audit_row(fixture, "mute", "bob");
    fixture_commit(fixture);
    forge(fixture, "UPDATE audit SET verb = 'mu', arguments = 'te'");
    assert_int_equal(verify_audit_log(fixture).bad, 1);
}

static void a_deleted_audit_row_is_detected(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    forge(fixture, "DELETE FROM audit WHERE id = 3");
    const struct storage_audit_check check = verify_audit_log(fixture);
    assert_int_equal(check.bad, 3);
    assert_int_equal(check.state, STORAGE_AUDIT_MISSING);
}

static void a_deleted_first_audit_row_is_detected(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    forge(fixture, "DELETE FROM audit WHERE id = 1");
    assert_int_equal(verify_audit_log(fixture).bad, 1);
}

static void a_deleted_last_audit_row_is_detected(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    forge(fixture, "DELETE FROM audit WHERE id = 5");
    assert_int_equal(verify_audit_log(fixture).bad, 5);
    assert_int_equal(verify_audit_log(fixture).state, STORAGE_AUDIT_MISSING);
}

static void deleted_newest_audit_rows_are_detected_after_new_rows_were_added(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    forge(fixture, "DELETE FROM audit WHERE id > 3");
    assert_int_equal(verify_audit_log(fixture).bad, 4);
    assert_int_equal(verify_audit_log(fixture).state, STORAGE_AUDIT_MISSING);
    add_audit_row(fixture, "ban", "bob");
    fixture_commit(fixture);
    assert_int_equal(verify_audit_log(fixture).bad, 4);
}

static void an_audit_row_forged_together_with_its_hash_contradicts_the_next_row(void **state)
{
    struct fixture *fixture = *state;
    add_five_audit_rows(fixture);
    forge(fixture, "UPDATE audit SET previous = zeroblob(32), hash ="
                   " (SELECT hash FROM audit WHERE id = 1) WHERE id = 3");
    assert_int_equal(verify_audit_log(fixture).bad, 3);
    forge(fixture, "UPDATE audit SET hash = zeroblob(32) WHERE id = 5");
    assert_int_equal(verify_audit_log(fixture).bad, 3);
}

/* Keeps two versions of the rows from row 4 on, with the log's hash after each version, in the
 * database tables `x`, `x_head`, `y` and `y_head`. The house wrote both versions. */
static void keep_two_versions_of_newest_rows(struct fixture *fixture)
{
    for (int i = 0; i < 3; i++) {
        add_audit_row(fixture, "mute", "bob");
    }
    fixture_commit(fixture);
    forge(fixture, "CREATE TABLE head AS SELECT value FROM meta"
                   " WHERE name = 'audit_head'");
    add_audit_row(fixture, "mute", "eve");
    add_audit_row(fixture, "warn", "eve");
    fixture_commit(fixture);
    forge(fixture, "CREATE TABLE x AS SELECT * FROM audit WHERE id > 3;"
                   "CREATE TABLE x_head AS SELECT value FROM meta"
                   " WHERE name = 'audit_head';"
                   "DELETE FROM audit WHERE id > 3;"
                   "UPDATE meta SET value = (SELECT value FROM head)"
                   " WHERE name = 'audit_head'");
    add_audit_row(fixture, "ban", "eve");
    add_audit_row(fixture, "warn", "eve");
    fixture_commit(fixture);
    forge(fixture, "CREATE TABLE y AS SELECT * FROM audit WHERE id > 3;"
                   "CREATE TABLE y_head AS SELECT value FROM meta"
                   " WHERE name = 'audit_head'");
    assert_int_equal(verify_audit_log(fixture).bad, 0);
}

static void an_audit_row_replaced_with_an_earlier_copy_contradicts_the_next_row(void **state)
{
    static const char *const forgeries[] = {
        "DELETE FROM audit WHERE id > 3; INSERT INTO audit SELECT * FROM x WHERE id = 4;"
        "INSERT INTO audit SELECT * FROM y WHERE id = 5;"
        "UPDATE meta SET value = (SELECT value FROM y_head) WHERE name = 'audit_head'",
        "DELETE FROM audit WHERE id > 3; INSERT INTO audit SELECT * FROM y WHERE id = 4;"
        "INSERT INTO audit SELECT * FROM x WHERE id = 5;"
        "UPDATE meta SET value = (SELECT value FROM x_head) WHERE name = 'audit_head'",
    };
    struct fixture *fixture = *state;

    keep_two_versions_of_newest_rows(fixture);
    for (size_t i = 0; i < ARRAY_LEN(forgeries); i++) {
        forge(fixture, forgeries[i]);
        const struct storage_audit_check check = verify_audit_log(fixture);
        assert_int_equal(check.bad, 5);
        assert_int_equal(check.state, STORAGE_AUDIT_BROKEN);
    }
}

/* The test adds a newest row that fits the hash chain but was not written by the house. */
static void a_forged_newest_audit_row_does_not_match_the_stored_hash(void **state)
{
    static const char head_of_four[] =
        "CREATE TABLE kept (head TEXT); INSERT INTO kept SELECT value FROM meta"
        " WHERE name = 'audit_head'";
    struct fixture *fixture = *state;
    struct storage_audit_check check;
    for (int i = 0; i < 4; i++) {
        add_audit_row(fixture, "mute", "bob");
    }
    fixture_commit(fixture);
    forge(fixture, head_of_four);
    add_audit_row(fixture, "ban", "bob");
    fixture_commit(fixture);
    forge(fixture, "DELETE FROM audit WHERE id = 5;"
                   "CREATE TABLE last AS SELECT value FROM meta"
                   " WHERE name = 'audit_head';"
                   "UPDATE meta SET value = (SELECT head FROM kept)"
                   " WHERE name = 'audit_head'");
    add_audit_row(fixture, "warn", "eve");
    fixture_commit(fixture);
    assert_int_equal(verify_audit_log(fixture).bad, 0);
    forge(fixture, "UPDATE meta SET value = (SELECT value FROM last)"
                   " WHERE name = 'audit_head'");
    check = verify_audit_log(fixture);
    assert_int_equal(check.bad, 5);
    assert_int_equal(check.state, STORAGE_AUDIT_BROKEN);
    assert_ok(storage_audit_verify(fixture->storage, 5, 10, &check));
    assert_int_equal(check.bad, 5);
}

/* Adds three rows by somebody at an address: of a mute, of a ban of an address, and a newer one. */
static void add_rows_with_addresses(struct fixture *fixture)
{
    struct storage_audit row = {.at_ms = 1000,
                                .actor_name = "max",
                                .address = "192.0.2.7",
                                .fingerprint = "SHA256:abc",
                                .verb = "mute",
                                .arguments = "bob 1d capitals",
                                .target_type = "user",
                                .target_name = "bob",
                                .result = "ok"};
    int64_t id = 0;
    assert_ok(storage_audit_add(fixture->storage, &row, &id));
    row.verb = "ban";
    row.arguments = "ip=203.0.113.9 1d a flood";
    row.target_type = "address";
    row.target_name = "203.0.113.9";
    row.state_after = "{\"address\":\"203.0.113.9\"}";
    assert_ok(storage_audit_add(fixture->storage, &row, &id));
    row.at_ms = 3000;
    assert_ok(storage_audit_add(fixture->storage, &row, &id));
    fixture_commit(fixture);
}

static int64_t count_rows(struct fixture *fixture, const char *condition)
{
    char query[512];
    int64_t count = -1;
    (void)snprintf(query, sizeof query, "SELECT count(*) FROM audit WHERE %s", condition);
    assert_ok(sql_read_number(fixture->storage, query, &count));
    return count;
}

#define HAS_SOURCE                                                                                 \
    "address || fingerprint || arguments || target_name || state_after LIKE '%192.0.2.7%'"         \
    " OR address || fingerprint || arguments || target_name || state_after LIKE '%203.0.113.9%'"   \
    " OR fingerprint LIKE 'SHA256%'"

static void old_addresses_and_keys_are_sealed_and_the_log_stays_whole(void **state)
{
    struct fixture *fixture = *state;
    int64_t sealed = 0;
    add_rows_with_addresses(fixture);
    assert_int_equal(count_rows(fixture, HAS_SOURCE), 3);
    assert_ok(storage_audit_seal(fixture->storage, 2000, 1, &sealed));
    assert_int_equal(sealed, 1);
    assert_ok(storage_audit_seal(fixture->storage, 2000, 100, &sealed));
    fixture_commit(fixture);
    assert_int_equal(sealed, 1);
    assert_int_equal(count_rows(fixture, HAS_SOURCE), 1); /* the newer row */
    assert_int_equal(count_rows(fixture, "arguments = 'bob 1d capitals' AND target_name = 'bob'"),
                     1);
    /* one address has one seal, so that it can be followed */
    assert_int_equal(count_rows(fixture, "address = (SELECT address FROM audit WHERE id = 1)"), 2);
    assert_int_equal(verify_audit_log(fixture).bad, 0);
    assert_int_equal(verify_audit_log(fixture).rows, 3);
    /* nobody can unseal one, or put another seal in its place */
    assert_false(run_script(fixture, "UPDATE audit SET address = '192.0.2.7' WHERE id = 1"));
    assert_false(run_script(fixture, "UPDATE audit SET reason = '#' || substr(address, 2)"
                                     " WHERE id = 1"));
    forge(fixture, "UPDATE audit SET address = '#00000000000000000000000000000000' WHERE id = 1");
    assert_int_equal(verify_audit_log(fixture).bad, 1);
}

TEST_GROUP(audit)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_audit_row_is_chained_to_the_row_before),
        FIXTURE_TEST(the_audit_log_can_be_checked_in_parts),
        FIXTURE_TEST(a_rolled_back_audit_row_leaves_no_gap),
        FIXTURE_TEST(updating_or_deleting_an_audit_row_is_refused),
        FIXTURE_TEST(a_changed_audit_row_is_detected),
        FIXTURE_TEST(moving_bytes_between_two_columns_of_an_audit_row_is_detected),
        FIXTURE_TEST(a_deleted_audit_row_is_detected),
        FIXTURE_TEST(a_deleted_first_audit_row_is_detected),
        FIXTURE_TEST(a_deleted_last_audit_row_is_detected),
        FIXTURE_TEST(deleted_newest_audit_rows_are_detected_after_new_rows_were_added),
        FIXTURE_TEST(an_audit_row_forged_together_with_its_hash_contradicts_the_next_row),
        FIXTURE_TEST(an_audit_row_replaced_with_an_earlier_copy_contradicts_the_next_row),
        FIXTURE_TEST(a_forged_newest_audit_row_does_not_match_the_stored_hash),
        FIXTURE_TEST(old_addresses_and_keys_are_sealed_and_the_log_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
