#include "tests/storage/fixture.h"

#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Migrations only for these tests, so that a test can start from an older schema version. */
static const struct migration steps[] = {
    {"001-parent", "CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;"
                   "INSERT INTO parent VALUES (7);"},
    {"002-child", "CREATE TABLE child (parent INTEGER REFERENCES parent (id)) STRICT;"
                  "INSERT INTO child VALUES (7);"},
    {"003-rebuild", "CREATE TABLE newer (id INTEGER PRIMARY KEY, name TEXT) STRICT;"
                    "INSERT INTO newer SELECT id, 'seven' FROM parent;"
                    "DROP TABLE parent;"
                    "ALTER TABLE newer RENAME TO parent;"},
};

static const struct migration bad_text[] = {
    {"001-parent", "CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;"},
    {"002-bad", "CREATE TABLE extra (id INTEGER) STRICT; CREATE NONSENSE;"},
};

static const struct migration bad_reference[] = {
    {"001-parent", "CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;"},
    {"002-orphan", "CREATE TABLE child (parent INTEGER REFERENCES parent (id)) STRICT;"
                   "INSERT INTO child VALUES (8);"},
};

/* A second data file, in the fixture's folder, for migrations; the fixture's own file is not
 * touched. */
struct old {
    struct storage storage;
    char path[160];
};

static struct old *make_old_file(const struct fixture *fixture)
{
    struct old *old = calloc(1, sizeof *old);

    assert_non_null(old);
    old->storage.engine = &sql_sqlite;
    (void)snprintf(old->path, sizeof old->path, "%s/old.db", fixture->folder);
    assert_int_equal(sqlite3_open(old->path, &old->storage.db), SQLITE_OK);
    return old;
}

static void free_old_file(struct old *old)
{
    assert_int_equal(sqlite3_close(old->storage.db), SQLITE_OK);
    free(old);
}

static int64_t read_number(struct old *old, const char *query)
{
    int64_t value = -1;

    assert_ok(sql_read_number(&old->storage, query, &value));
    return value;
}

static void a_new_file_runs_all_migrations_without_a_backup(void **state)
{
    struct old *old = make_old_file(*state);
    char backup[180];

    assert_ok(migrate_run_steps(&old->storage, steps, 3));
    assert_int_equal(read_number(old, "PRAGMA user_version"), 3);
    assert_int_equal(read_number(old, "PRAGMA application_id"), MIGRATE_APPLICATION_ID);
    assert_int_equal(read_number(old, "SELECT count(*) FROM parent WHERE name = 'seven'"), 1);
    assert_int_equal(read_number(old, "PRAGMA foreign_keys"), 1);
    (void)snprintf(backup, sizeof backup, "%s.before-1", old->path);
    assert_int_not_equal(access(backup, F_OK), 0);
    free_old_file(old);
}

static void an_old_file_is_backed_up_and_runs_the_missing_migrations(void **state)
{
    struct old *old = make_old_file(*state);
    struct old *backup = make_old_file(*state);

    assert_ok(migrate_run_steps(&old->storage, steps, 1));
    assert_ok(sql_run_script(&old->storage, "INSERT INTO parent VALUES (8)"));
    assert_ok(migrate_run_steps(&old->storage, steps, 3));
    assert_int_equal(read_number(old, "PRAGMA user_version"), 3);
    assert_int_equal(read_number(old, "SELECT count(*) FROM parent"), 2);
    assert_int_equal(read_number(old, "SELECT count(*) FROM child"), 1);
    assert_ok(migrate_run_steps(&old->storage, steps, 3));
    assert_int_equal(sqlite3_close(backup->storage.db), SQLITE_OK);
    (void)snprintf(backup->path, sizeof backup->path, "%.100s.before-2", old->path);
    assert_int_equal(sqlite3_open_v2(backup->path, &backup->storage.db, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    assert_int_equal(read_number(backup, "PRAGMA user_version"), 1);
    assert_int_equal(read_number(backup, "SELECT count(*) FROM parent"), 2);
    free_old_file(backup);
    free_old_file(old);
}

static void a_backup_replaces_an_unfinished_one(void **state)
{
    struct old *old = make_old_file(*state);
    char partial[180];

    assert_ok(migrate_run_steps(&old->storage, steps, 1));
    (void)snprintf(partial, sizeof partial, "%s.before-2.partial", old->path);
    FILE *file = fopen(partial, "w");
    assert_non_null(file);
    assert_true(fputs("half", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_ok(migrate_run_steps(&old->storage, steps, 2));
    assert_int_not_equal(access(partial, F_OK), 0);
    free_old_file(old);
}

static void a_failed_migration_leaves_the_file_unchanged(void **state)
{
    struct old *old = make_old_file(*state);

    assert_ok(migrate_run_steps(&old->storage, bad_text, 1));
    assert_int_not_equal(migrate_run_steps(&old->storage, bad_text, 2), STORAGE_OK);
    assert_non_null(strstr(old->storage.why, "002-bad"));
    assert_int_equal(read_number(old, "PRAGMA user_version"), 1);
    assert_int_equal(read_number(old, "SELECT count(*) FROM sqlite_schema"), 1);
    free_old_file(old);
}

static void a_migration_that_leaves_dangling_references_is_rolled_back(void **state)
{
    struct old *old = make_old_file(*state);

    assert_ok(migrate_run_steps(&old->storage, bad_reference, 1));
    assert_result(migrate_run_steps(&old->storage, bad_reference, 2), STORAGE_CORRUPT);
    assert_non_null(strstr(old->storage.why, "refer to missing rows"));
    assert_int_equal(read_number(old, "PRAGMA user_version"), 1);
    assert_int_equal(read_number(old, "SELECT count(*) FROM sqlite_schema"), 1);
    free_old_file(old);
}

static void a_file_of_a_newer_schema_version_is_refused(void **state)
{
    struct old *old = make_old_file(*state);

    assert_ok(migrate_run_steps(&old->storage, steps, 3));
    assert_result(migrate_run_steps(&old->storage, steps, 2), STORAGE_NEWER);
    assert_int_equal(read_number(old, "PRAGMA user_version"), 3);
    free_old_file(old);
}

/* Trickhouse 0.2.0 numbered the versions of its schema from 1 too, up to 39. */
static void a_file_of_version_0_2_0_is_refused_by_name_and_unchanged(void **state)
{
    static const int versions[] = {1, 2, 3, 39};
    struct old *old = make_old_file(*state);
    char text[96];

    assert_ok(migrate_run_steps(&old->storage, steps, 1));
    for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
        (void)snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                       MIGRATE_OLD_APPLICATION_ID, versions[i]);
        assert_ok(sql_run_script(&old->storage, text));
        assert_result(migrate_run_steps(&old->storage, steps, 3), STORAGE_OLDER);
        (void)snprintf(text, sizeof text, "0.2.0 or older (data format %d)", versions[i]);
        assert_non_null(strstr(old->storage.why, text));
        assert_non_null(strstr(old->storage.why, "houses of Trickhouse 0.3.0 and newer"));
        assert_int_equal(read_number(old, "PRAGMA user_version"), versions[i]);
        assert_int_equal(read_number(old, "SELECT count(*) FROM sqlite_schema"), 1);
    }
    free_old_file(old);
}

static void
migrations_are_numbered_without_a_gap_and_have_the_same_names_in_both_databases(void **state)
{
    size_t count = 0, postgres_count = 0;
    const struct migration *list = migrate_list_steps(&count);
    const struct migration *postgres_list = migrate_postgres_list_steps(&postgres_count);

    (void)state;
    assert_true(count > 0);
    assert_int_equal(count, postgres_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strtol(list[i].name, NULL, 10), i + 1);
        assert_string_equal(list[i].name, postgres_list[i].name);
        assert_true(strlen(list[i].text) > 0);
        assert_true(strlen(postgres_list[i].text) > 0);
    }
}

TEST_GROUP(migrate)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_new_file_runs_all_migrations_without_a_backup),
        FIXTURE_TEST(an_old_file_is_backed_up_and_runs_the_missing_migrations),
        FIXTURE_TEST(a_backup_replaces_an_unfinished_one),
        FIXTURE_TEST(a_failed_migration_leaves_the_file_unchanged),
        FIXTURE_TEST(a_migration_that_leaves_dangling_references_is_rolled_back),
        FIXTURE_TEST(a_file_of_a_newer_schema_version_is_refused),
        FIXTURE_TEST(a_file_of_version_0_2_0_is_refused_by_name_and_unchanged),
        cmocka_unit_test(
            migrations_are_numbered_without_a_gap_and_have_the_same_names_in_both_databases),
    };

    return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
