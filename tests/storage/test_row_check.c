#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

static struct fixture_findings check_rows(struct storage *storage)
{
    struct fixture_findings heard = {0};
    const struct storage_findings findings = {fixture_keep_finding, &heard};
    char why[STORAGE_WHY_SIZE];

    assert_ok(row_check(storage, &findings, why));
    return heard;
}

static void add_rows(struct storage *storage)
{
    const int64_t accounts[] = {fixture_add_account(storage, "ada", STORAGE_PLAYER),
                                fixture_add_account(storage, "bob", STORAGE_PLAYER)};

    (void)fixture_add_finished_game(storage, accounts, ARRAY_LEN(accounts), 1000);
    (void)fixture_add_table(storage);
}

static void rows_that_a_house_writes_have_no_findings(void **state)
{
    struct fixture *fixture = *state;

    add_rows(fixture->storage);
    assert_int_equal(check_rows(fixture->storage).count, 0);
}

static void a_value_that_reads_back_as_another_is_found(void **state)
{
    static const struct {
        const char *script, *words;
    } rows[] = {
        {"UPDATE accounts SET name = 'a name that is far too long for its place, which has room "
         "for 64 bytes and no more' WHERE name ="
         " 'ada'",
         "accounts: 1 rows have values that this program would read as others, such as in the"
         " column name"},
        {"UPDATE games SET format = 300", "games: 1 rows"},
        {"UPDATE tables SET pace = 77", "column pace"},
        {"UPDATE scores SET score = 99999999999", "scores: 2 rows"},
    };
    struct fixture *fixture = *state;

    add_rows(fixture->storage);
    fixture_commit(fixture);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_ok(sql_run(SQL_WRITE(fixture->storage, rows[i].script, SQL_NONE)));
        const struct fixture_findings heard = check_rows(fixture->storage);
        if (heard.count != 1 || strstr(heard.words, rows[i].words) == NULL) {
            fail_msg("after %.60s: %u findings, \"%s\"", rows[i].script, heard.count, heard.words);
        }
        storage_rollback(fixture->storage);
    }
}

TEST_GROUP(row_check)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(rows_that_a_house_writes_have_no_findings),
        FIXTURE_TEST(a_value_that_reads_back_as_another_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
