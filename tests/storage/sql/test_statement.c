#include "storage/sql/sql.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

/* Asserts the values of a row, written as one text: whole number, account, fraction, words. */
static void assert_row_values(struct sql *q, const char *expected)
{
    char text[64] = "";

    if (sql_first_row(q)) {
        sql_read_text(q, text, sizeof text);
    }
    assert_ok(sql_end(q));
    assert_string_equal(text, expected);
}

static void every_kind_of_argument_is_bound_in_order(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT CAST(? AS TEXT) || ' ' || CAST(? AS TEXT) || ' ' ||"
                               " CAST(? AS TEXT) || ' ' || ?";

    assert_row_values(SQL_READ(fixture->storage, text, SQL_INT(-7), SQL_ID(12), SQL_REAL(0.5),
                               SQL_TEXT("words", 6)),
                      "-7 12 0.5 words");
}

static void a_row_number_of_0_is_bound_as_null(void **state)
{
    struct fixture *fixture = *state;

    assert_row_values(SQL_READ(fixture->storage,
                               "SELECT CAST(? AS TEXT) || coalesce(CAST(? AS TEXT), ' and null')",
                               SQL_INT(0), SQL_ID(0)),
                      "0 and null");
}

static void a_text_that_is_too_long_is_refused(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(sql_run(SQL_READ(fixture->storage, "SELECT ?", SQL_TEXT("words", 5))),
                     STORAGE_REFUSED);
}

static void a_number_is_read_from_the_first_row(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT column1 FROM (VALUES (?), (8)) AS two";
    int64_t number = 0;
    uint32_t count = 0;

    assert_ok(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(INT64_MIN)), &number));
    assert_true(number == INT64_MIN);
    assert_ok(statement_read_count(SQL_READ(fixture->storage, text, SQL_INT(7)), &count));
    assert_int_equal(count, 7);
    struct sql *q = SQL_READ(fixture->storage, text, SQL_REAL(0.25));
    assert_true(sql_first_row(q));
    assert_true(sql_read_real(q) == 0.25);
    assert_ok(sql_end(q));
    assert_ok(statement_read_number_or(SQL_READ(fixture->storage, text, SQL_INT(7)), 9, &number));
    assert_int_equal(number, 7);
}

static void a_number_read_without_a_row_is_unchanged_or_the_fallback(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT 1 WHERE ? <> 0";
    int64_t number = 5;
    uint32_t count = 6;

    assert_int_equal(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(0)), &number),
                     STORAGE_NOT_FOUND);
    assert_int_equal(number, 5);
    assert_int_equal(statement_read_count(SQL_READ(fixture->storage, text, SQL_INT(0)), &count),
                     STORAGE_NOT_FOUND);
    assert_int_equal(count, 6);
    assert_ok(statement_read_number_or(SQL_READ(fixture->storage, text, SQL_INT(0)), 9, &number));
    assert_int_equal(number, 9);
}

static void whether_a_statement_finds_a_row_is_reported(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT 1 WHERE ? <> 0";
    bool is_there = false;

    assert_ok(statement_has_row(SQL_READ(fixture->storage, text, SQL_INT(1)), &is_there));
    assert_true(is_there);
    assert_ok(statement_has_row(SQL_READ(fixture->storage, text, SQL_INT(0)), &is_there));
    assert_false(is_there);
}

static enum storage_result return_the_first_failure(enum storage_result one,
                                                    enum storage_result other)
{
    RETURN_FAILURE(one);
    RETURN_FAILURE(other);
    return STORAGE_OK;
}

static void the_first_failure_is_returned(void **state)
{
    (void)state;
    assert_ok(return_the_first_failure(STORAGE_OK, STORAGE_OK));
    assert_int_equal(return_the_first_failure(STORAGE_TAKEN, STORAGE_IO), STORAGE_TAKEN);
    assert_int_equal(return_the_first_failure(STORAGE_OK, STORAGE_IO), STORAGE_IO);
}

TEST_GROUP(statement)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(every_kind_of_argument_is_bound_in_order),
        FIXTURE_TEST(a_row_number_of_0_is_bound_as_null),
        FIXTURE_TEST(a_text_that_is_too_long_is_refused),
        FIXTURE_TEST(a_number_is_read_from_the_first_row),
        FIXTURE_TEST(a_number_read_without_a_row_is_unchanged_or_the_fallback),
        FIXTURE_TEST(whether_a_statement_finds_a_row_is_reported),
        FIXTURE_TEST(the_first_failure_is_returned),
    };
    return cmocka_run_group_tests_name("statement", tests, NULL, NULL);
}
