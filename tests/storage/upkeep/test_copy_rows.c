#include "storage/upkeep/upkeep.h"

#include "storage/copies.h"
#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Each difference between two tables is found. */

static void expect_difference(const struct fixture *fixture, const char *sql, const char *words)
{
    struct copy_fixture_report report;
    struct copy_schema schema = {.tables = NULL};
    struct copy_postgres to;
    struct storage *from = NULL;
    char why[STORAGE_WHY_SIZE] = "";
    copy_fixture_expect_copy(fixture, &report);
    copy_fixture_change_database(sql);
    assert_ok(storage_open_temporary_copy(fixture->path, &from, why));
    assert_ok(copy_postgres_connect(&to, copy_fixture_url, why));
    assert_ok(copy_schema_read(from, &to, &schema));
    for (size_t i = 0; i < schema.table_count; i++) {
        const struct copy_rows rows = {from, &to, &schema.tables[i], NULL, NULL};
        if (strcmp(schema.tables[i].name, "ratings") == 0) {
            assert_result(copy_rows_compare(&rows), STORAGE_CORRUPT);
        }
    }
    assert_string_equal(why, words);
    copy_schema_clear(&schema);
    copy_postgres_close(&to);
    storage_close(from);
    copy_fixture_empty_database();
}

static void each_difference_is_found_and_named(void **state)
{
    const struct fixture *fixture = *state;
    copy_fixture_change_file(fixture, COPY_FIXTURE_VALUES);
    expect_difference(
        fixture, "UPDATE ratings SET mu = '0.10000000000000002' WHERE account = 3",
        "table ratings, row with account 3, game whist, season 0: PostgreSQL has another value"
        " in the column mu");
    expect_difference(
        fixture, "UPDATE ratings SET best_ms = 2 WHERE account = 4",
        "table ratings, row with account 4, game whist, season 1: PostgreSQL has another value"
        " in the column best_ms");
    expect_difference(
        fixture, "DELETE FROM ratings WHERE account = 4",
        "table ratings, row with account 4, game whist, season 1: PostgreSQL does not have it");
    expect_difference(
        fixture, "DELETE FROM ratings WHERE account = 3",
        "table ratings, row with account 3, game whist, season 0: PostgreSQL has another row"
        " in its place");
    expect_difference(fixture,
                      "INSERT INTO ratings SELECT account, 'x', season, mu, sigma, rated_ms, games,"
                      " wins, place_sum, stat_hits, stat_chances, finished, \"left\", streak,"
                      " best_mu, best_ms FROM ratings WHERE account = 4",
                      "table ratings: PostgreSQL has more rows");
}

TEST_GROUP(copy_rows)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(each_difference_is_found_and_named),
    };
    return COPY_FIXTURE_RUN(tests);
}
