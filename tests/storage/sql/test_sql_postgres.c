#include "storage/sql/postgres.h"

#include "storage/sql/sql.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

/* What PostgreSQL could understand in another way than SQLite. These tests run on both. */

static void assert_text(struct sql *q, const char *expected)
{
    char text[64] = "";

    if (sql_first_row(q)) {
        sql_read_text(q, text, sizeof text);
    }
    assert_ok(sql_end(q));
    assert_string_equal(text, expected);
}

static void a_question_mark_has_the_number_after_the_highest_one_before_it(void **state)
{
    struct fixture *fixture = *state;

    assert_text(SQL_READ(fixture->storage, "SELECT ?2 || ?1 || ? || '?' || ?", SQL_TEXT("a", 2),
                         SQL_TEXT("b", 2), SQL_TEXT("c", 2), SQL_TEXT("d", 2)),
                "bac?d");
}

static void one_statement_takes_arguments_of_several_types(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT coalesce(CAST(? AS TEXT), 'none')";

    assert_text(SQL_READ(fixture->storage, text, SQL_INT(7)), "7");
    assert_text(SQL_READ(fixture->storage, text, SQL_REAL(0.5)), "0.5");
    assert_text(SQL_READ(fixture->storage, text, SQL_TEXT("seven", 6)), "seven");
    assert_text(SQL_READ(fixture->storage, text, SQL_ID(0)), "none");
    assert_text(SQL_READ(fixture->storage, text, SQL_INT(8)), "8");
}

static void a_division_of_whole_numbers_rounds_toward_zero(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT ? / 4";

    assert_int_equal(fixture_read_number(fixture->storage, "SELECT -7 / 4"), -1);
    int64_t number = 0;
    assert_ok(statement_read_number(SQL_READ(fixture->storage, text, SQL_INT(-7)), &number));
    assert_int_equal(number, -1);
}

static void a_truth_reads_as_0_or_1(void **state)
{
    struct fixture *fixture = *state;
    struct sql *q = SQL_READ(fixture->storage, "SELECT ? > 1 AS yes, ?1 > 2, NULL > 1", SQL_INT(2));

    assert_true(sql_first_row(q));
    assert_int_equal(sql_column_count(q), 3);
    assert_string_equal(sql_column_name(q), "yes");
    const struct sql_value yes = sql_read_value(q);
    assert_int_equal(yes.kind, SQL_KIND_INT);
    assert_int_equal(yes.number, 1);
    const struct sql_value no = sql_read_value(q);
    assert_int_equal(no.kind, SQL_KIND_INT);
    assert_int_equal(no.number, 0);
    assert_int_equal(sql_read_value(q).kind, SQL_KIND_NULL);
    q->column--;
    assert_int_equal(sql_read_int(q), 0);
    assert_ok(sql_end(q));
}

static void a_sum_of_whole_numbers_is_a_whole_number(void **state)
{
    struct fixture *fixture = *state;
    struct sql *q = SQL_READ(fixture->storage,
                             "SELECT sum(n), sum(n * 1.5) FROM (SELECT ? AS n UNION ALL SELECT ?)"
                             " AS two",
                             SQL_INT(INT64_C(4000000000000)), SQL_INT(3));

    assert_true(sql_first_row(q));
    const struct sql_value sum = sql_read_value(q);
    assert_int_equal(sum.kind, SQL_KIND_INT);
    assert_true(sum.number == INT64_C(4000000000003));
    assert_true(sql_read_real(q) == 6000000000004.5);
    assert_ok(sql_end(q));
}

static void a_real_number_comes_back_to_the_last_bit(void **state)
{
    struct fixture *fixture = *state;
    static const double numbers[] = {0.1, 1.0 / 3.0, 25.000000000000004, -1e-300, 1e300};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        struct sql *q = SQL_READ(fixture->storage, "SELECT ? * 1.0e0", SQL_REAL(numbers[i]));
        assert_true(sql_first_row(q));
        const double number = sql_read_real(q);
        assert_memory_equal(&number, &numbers[i], sizeof number);
        assert_ok(sql_end(q));
    }
}

static void texts_sort_by_their_bytes(void **state)
{
    struct fixture *fixture = *state;
    char sorted[32] = "";
    struct sql *q = SQL_READ(
        fixture->storage,
        "SELECT word FROM (SELECT 'b' AS word UNION SELECT 'B' UNION SELECT '\xC3\xA4' UNION"
        " SELECT '_' UNION SELECT 'a') AS words ORDER BY word",
        SQL_NONE);

    while (sql_next_row(q)) {
        strncat(sorted, sql_borrow_text(q), sizeof sorted - strlen(sorted) - 1);
    }
    assert_ok(sql_end(q));
    assert_string_equal(sorted, "B_ab\xC3\xA4");
}

static void words_are_found_in_texts_whatever_the_case_of_their_letters(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "SELECT instr(lower(?), lower(?))";
    int64_t place = 0;

    assert_ok(statement_read_number(
        SQL_READ(fixture->storage, text, SQL_TEXT("a Trick", 8), SQL_TEXT("tRICK", 6)), &place));
    assert_int_equal(place, 3);
    assert_ok(statement_read_number(
        SQL_READ(fixture->storage, text, SQL_TEXT("100%", 5), SQL_TEXT("_", 2)), &place));
    assert_int_equal(place, 0);
}

static void numbers_are_joined_in_the_order_of_their_rows(void **state)
{
    struct fixture *fixture = *state;

    assert_text(SQL_READ(fixture->storage,
                         "SELECT group_concat(n, ',') FROM (SELECT DISTINCT n FROM (SELECT ? AS n"
                         " UNION ALL SELECT ? UNION ALL SELECT ?1) AS three ORDER BY n) AS sorted",
                         SQL_INT(10), SQL_INT(9)),
                "9,10");
}

static void a_text_that_is_no_utf8_is_refused_by_postgresql_alone(void **state)
{
    struct fixture *fixture = *state;
    static const char *const texts[] = {"\xC3", "a\xFF", "\xED\xA0\x80", "\xC0\x80"};

    SKIP_ON_SQLITE(); /* it stores any bytes; the lobby gives it valid texts alone */
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_result(
            sql_run(SQL_WRITE(fixture->storage, "INSERT INTO news (at_ms, text) VALUES (1, ?)",
                              SQL_TEXT(texts[i], 8))),
            STORAGE_REFUSED);
        assert_non_null(strstr(storage_last_failure(fixture->storage), "UTF-8"));
    }
    assert_ok(sql_run(SQL_WRITE(fixture->storage, "INSERT INTO news (at_ms, text) VALUES (1, ?)",
                                SQL_TEXT("\xC3\xA4", 8))));
    fixture_commit(fixture);
}

TEST_GROUP(sql_postgres)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_question_mark_has_the_number_after_the_highest_one_before_it),
        FIXTURE_TEST(one_statement_takes_arguments_of_several_types),
        FIXTURE_TEST(a_division_of_whole_numbers_rounds_toward_zero),
        FIXTURE_TEST(a_truth_reads_as_0_or_1),
        FIXTURE_TEST(a_sum_of_whole_numbers_is_a_whole_number),
        FIXTURE_TEST(a_real_number_comes_back_to_the_last_bit),
        FIXTURE_TEST(texts_sort_by_their_bytes),
        FIXTURE_TEST(words_are_found_in_texts_whatever_the_case_of_their_letters),
        FIXTURE_TEST(numbers_are_joined_in_the_order_of_their_rows),
        FIXTURE_TEST(a_text_that_is_no_utf8_is_refused_by_postgresql_alone),
    };
    return cmocka_run_group_tests_name("sql_postgres", tests, NULL, NULL);
}
