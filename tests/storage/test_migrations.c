#include "storage/house/house.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* These tests give the house of this program one more migration, in SQLite and in PostgreSQL. */

/* Runs all migrations of the program, and after them one more. */
static enum storage_result run_with_next_step(const struct fixture *fixture, const char *text)
{
    size_t count = 0;
    const struct migration *list =
        fixture_is_postgres() ? migrate_postgres_list_steps(&count) : migrate_list_steps(&count);
    struct migration *steps = calloc(count + 1, sizeof *steps);

    assert_non_null(steps);
    memcpy(steps, list, count * sizeof *steps);
    steps[count] = (struct migration){"next", text};
    const enum storage_result result =
        fixture_is_postgres() ? migrate_postgres_run_steps(fixture->storage, steps, count + 1)
                              : migrate_run_steps(fixture->storage, steps, count + 1);
    free(steps);
    return result;
}

/* Opens the house again with the migrations of the program alone; storage_open must fail. */
static void assert_next_open_fails(struct fixture *fixture, enum storage_result wanted)
{
    char why[STORAGE_WHY_SIZE];

    storage_close(fixture->storage);
    assert_result(storage_open(fixture->path, &fixture->storage, why), wanted);
    assert_null(fixture->storage);
}

/* Stores a person and a finished game. */
static void fill_house(struct fixture *fixture)
{
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);

    (void)fixture_add_finished_game(fixture->storage, &mira, 1, 500);
    assert_ok(storage_meta_set(fixture->storage, "x", "kept"));
    fixture_commit(fixture);
}

static void assert_house_is_kept(struct storage *storage)
{
    struct storage_account account;
    char value[STORAGE_META_SIZE];

    assert_ok(storage_account_by_name(storage, "mira", &account));
    assert_ok(storage_meta_get(storage, "x", value));
    assert_string_equal(value, "kept");
    assert_int_equal(
        fixture_read_number(storage, "SELECT count(*) FROM games WHERE finished_ms = 500"), 1);
}

static void the_next_migration_changes_the_tables_and_keeps_the_data(void **state)
{
    static const char text[] =
        "ALTER TABLE accounts ADD COLUMN city TEXT NOT NULL DEFAULT 'Reykjavik';"
        "CREATE TABLE cities (name TEXT PRIMARY KEY);"
        "INSERT INTO cities SELECT DISTINCT city FROM accounts;";
    struct fixture *fixture = *state;

    fill_house(fixture);
    assert_ok(run_with_next_step(fixture, text));
    assert_house_is_kept(fixture->storage);
    assert_int_equal(
        fixture_read_number(fixture->storage,
                            "SELECT count(*) FROM accounts JOIN cities ON cities.name = city"
                            " WHERE accounts.name = 'mira'"),
        1);
    assert_ok(run_with_next_step(fixture, text)); /* it has run, and does not run again */
    assert_next_open_fails(fixture, STORAGE_NEWER);
}

static void a_failed_next_migration_changes_nothing(void **state)
{
    struct fixture *fixture = *state;

    fill_house(fixture);
    assert_int_not_equal(run_with_next_step(fixture, "CREATE TABLE cities (name TEXT PRIMARY KEY);"
                                                     "DELETE FROM meta;"
                                                     "INSERT INTO nowhere VALUES (1);"),
                         STORAGE_OK);
    assert_non_null(strstr(storage_last_failure(fixture->storage), "step next failed"));
    fixture_reopen(fixture);
    assert_house_is_kept(fixture->storage);
    assert_ok(run_with_next_step(fixture, "CREATE TABLE cities (name TEXT PRIMARY KEY)"));
    assert_house_is_kept(fixture->storage);
}

static void a_house_of_schema_1_keeps_its_new_moves_and_its_re_rating(void **state)
{
    struct fixture *fixture = *state;
    int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    char backup[sizeof fixture->path + 16];

    assert_int_equal(game, 1);
    fixture_commit(fixture);
    assert_ok(sql_run_script(
        fixture->storage, fixture_is_postgres()
                              ? "UPDATE meta SET value = '1' WHERE name = '" MIGRATE_VERSION_ROW "'"
                              : "PRAGMA user_version = 1"));
    assert_ok(sql_run_script(
        fixture->storage,
        "CREATE TABLE moves_new (n INTEGER PRIMARY KEY, game_id INTEGER NOT NULL, step INTEGER NOT"
        " NULL, seat INTEGER NOT NULL, move TEXT NOT NULL, at_ms INTEGER NOT NULL, conn INTEGER"
        " NOT NULL, request INTEGER NOT NULL);"
        "INSERT INTO moves VALUES (1, 0, 2, 'bid:3', 10, 7, 1);"
        "INSERT INTO moves_new VALUES (1, 1, 1, 3, 'bid:0', 11, 8, 4);"
        "CREATE TABLE rerated (account INTEGER, season INTEGER);"
        "INSERT INTO rerated VALUES (1, 0);"
        "CREATE TABLE reratings (id INTEGER, game TEXT, void_id INTEGER, phase INTEGER);"
        "INSERT INTO reratings VALUES (1, 'whist', 1, 2);"
        "DROP TABLE void_games"));
    fixture_reopen(fixture);
    assert_int_equal(fixture_read_number(fixture->storage,
                                         "SELECT count(*) FROM moves WHERE game_id = 1 AND"
                                         " (step, seat, move, at_ms, conn, request) IN"
                                         " ((0, 2, 'bid:3', 10, 7, 1), (1, 3, 'bid:0', 11, 8, 4))"),
                     2);
    assert_ok(storage_rerating_find_first(fixture->storage, &game));
    assert_int_equal(game, 1);
    assert_int_not_equal(sql_run_script(fixture->storage, "DELETE FROM moves_new"), STORAGE_OK);
    assert_int_not_equal(sql_run_script(fixture->storage, "DELETE FROM rerated"), STORAGE_OK);
    (void)snprintf(backup, sizeof backup, "%s.before-2", fixture->path);
    (void)unlink(backup); /* PostgreSQL has none */
}

TEST_GROUP(migrations)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_next_migration_changes_the_tables_and_keeps_the_data),
        FIXTURE_TEST(a_failed_next_migration_changes_nothing),
        FIXTURE_TEST(a_house_of_schema_1_keeps_its_new_moves_and_its_re_rating),
    };

    return cmocka_run_group_tests_name("migrations", tests, NULL, NULL);
}
