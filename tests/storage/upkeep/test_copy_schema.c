#include "storage/upkeep/upkeep.h"

#include "storage/copies.h"
#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* The schemas of both databases say what is copied. */

static void what_postgresql_lacks_is_not_left_out_silently(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_fixture_report report;
    copy_fixture_change_file(fixture, "CREATE TABLE later (n INTEGER PRIMARY KEY) STRICT;");
    copy_fixture_expect_copy(fixture, &report); /* an empty table loses nothing */
    copy_fixture_empty_database();
    copy_fixture_change_file(fixture, "INSERT INTO later VALUES (1)");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED, "table later: it has rows");
    copy_fixture_change_file(fixture, "DROP TABLE later; ALTER TABLE news ADD COLUMN more TEXT");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news, column more: PostgreSQL does not have");
    copy_fixture_change_file(fixture, "ALTER TABLE news DROP COLUMN more");
    copy_fixture_change_database("ALTER TABLE news ADD COLUMN more text");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news: PostgreSQL has more columns");
    copy_fixture_change_database(
        "ALTER TABLE news DROP COLUMN more; ALTER TABLE news ALTER text TYPE bytea"
        " USING text::bytea");
    copy_fixture_expect_refusal(fixture, STORAGE_REFUSED,
                                "table news, column text: PostgreSQL has it with");
}

TEST_GROUP(copy_schema)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(what_postgresql_lacks_is_not_left_out_silently),
    };
    return COPY_FIXTURE_RUN(tests);
}
