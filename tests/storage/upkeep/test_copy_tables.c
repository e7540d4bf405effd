#include "storage/upkeep/upkeep.h"

#include "storage/copies.h"
#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* All tables that both databases have are copied and compared. */

static void tables_and_columns_added_later_are_copied_without_a_further_step(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_make_tables();
    copy_fixture_change_file(fixture,
                             "CREATE TABLE later (name TEXT, n INTEGER, \"left\" REAL, b BLOB,"
                             " PRIMARY KEY (n, name)) STRICT, WITHOUT ROWID;"
                             "INSERT INTO later VALUES ('b', 1, 0.5, NULL), ('a', 1, NULL, x'00');"
                             "ALTER TABLE news ADD COLUMN later TEXT NOT NULL DEFAULT '';"
                             "INSERT INTO news (at_ms, text, later) VALUES (1, 'x', 'y')");
    copy_fixture_change_database("SET ROLE house; CREATE TABLE later (name text, n bigint, b bytea,"
                                 " \"left\" double precision, PRIMARY KEY (n, name));"
                                 "ALTER TABLE news ADD COLUMN later text NOT NULL DEFAULT ''");
    copy_fixture_expect_copy(fixture, &report);
    assert_non_null(strstr(report.equal, " later=2 "));
    assert_string_equal(copy_fixture_ask("SELECT later FROM news"), "y");
    assert_string_equal(copy_fixture_ask("SELECT \"left\" FROM later WHERE name = 'b'"), "0.5");
}

TEST_GROUP(copy_tables)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(tables_and_columns_added_later_are_copied_without_a_further_step),
    };
    return COPY_FIXTURE_RUN(tests);
}
