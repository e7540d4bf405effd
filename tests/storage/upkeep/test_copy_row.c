#include "storage/upkeep/upkeep.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* A row in PostgreSQL's binary format, made from SQLite and written to SQLite. */

static struct copy_column columns[] = {
    {"id", COPY_INT, 1},
    {"word", COPY_TEXT, 2},
    {"mu", COPY_REAL, 0},
    {"seed", COPY_BYTES, 0},
};
static const struct copy_table table = {"t", columns, ARRAY_LEN(columns)};

#define QUERY "SELECT id, word, mu, seed FROM t ORDER BY id"

/* Makes the table with these values of its only row, and encodes that row. */
static void encode(struct storage *storage, const char *values, struct copy_row *row)
{
    char script[256];
    (void)snprintf(script, sizeof script,
                   "DROP TABLE IF EXISTS t; CREATE TABLE t (id INTEGER, word TEXT, mu REAL,"
                   " seed BLOB) STRICT; INSERT INTO t VALUES (%s)",
                   values);
    assert_ok(sql_run_script(storage, script));
    struct sql q = sql_read_once(storage, QUERY);
    assert_true(sql_next_row(&q));
    copy_row_encode(row, &table, &q);
    assert_ok(sql_end_once(&q));
}

static void a_row_has_the_bytes_of_the_binary_format(void **state)
{
    static const char expected[] = "\0\4"
                                   "\0\0\0\10\377\377\377\377\377\377\377\376"
                                   "\0\0\0\3\303\251x"
                                   "\0\0\0\10\77\340\0\0\0\0\0\0"
                                   "\377\377\377\377";
    const struct fixture *fixture = *state;
    struct copy_row row = {.bytes = NULL};
    encode(fixture->storage, "-2, 'éx', 0.5, NULL", &row);
    assert_int_equal(row.len, sizeof expected - 1);
    assert_memory_equal(row.bytes, expected, row.len);
    encode(fixture->storage, "1, '', 0, x''", &row); /* shorter than the row before */
    assert_int_equal(row.len, 2 + 4 + 8 + 4 + 4 + 8 + 4);
    copy_row_clear(&row);
}

static void a_row_comes_back_as_it_was(void **state)
{
    static const char *const values[] = {
        "-9223372036854775807 - 1, 'a''b', 4.9e-324, x'00ff'",
        "NULL, NULL, NULL, NULL",
        "0, '', -0.1, x''",
    };
    const struct fixture *fixture = *state;
    struct copy_row row = {.bytes = NULL};
    struct copy_row again = {.bytes = NULL};
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        encode(fixture->storage, values[i], &row);
        assert_ok(sql_run_script(fixture->storage, "DELETE FROM t"));
        struct sql q = sql_read_once(fixture->storage, "INSERT INTO t VALUES (?, ?, ?, ?)");
        copy_row_bind(row.bytes, row.len, &table, &q);
        sql_run_and_reset(&q);
        assert_ok(sql_end_once(&q));
        struct sql read = sql_read_once(fixture->storage, QUERY);
        assert_true(sql_next_row(&read));
        copy_row_encode(&again, &table, &read);
        assert_ok(sql_end_once(&read));
        assert_int_equal(again.len, row.len);
        assert_memory_equal(again.bytes, row.bytes, row.len);
    }
    copy_row_clear(&row);
    copy_row_clear(&again);
}

static void a_row_that_is_not_whole_is_not_bound(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_row row = {.bytes = NULL};
    encode(fixture->storage, "1, 'word', 0.5, x'0102'", &row);
    for (size_t len = 2; len < row.len; len++) {
        struct sql q = sql_read_once(fixture->storage, "INSERT INTO t VALUES (?, ?, ?, ?)");
        copy_row_bind(row.bytes, len, &table, &q);
        assert_result(sql_end_once(&q), STORAGE_CORRUPT);
    }
    copy_row_clear(&row);
}

static void the_first_different_column_is_found(void **state)
{
    static const char *const others[] = {
        "2, 'word', 0.5, x'01'", "1, 'ward', 0.5, x'01'", "1, 'word', NULL, x'01'",
        "1, 'word', 0.5, x'02'", "1, 'word', 0.5, x'01'",
    };
    const struct fixture *fixture = *state;
    struct copy_row row = {.bytes = NULL};
    struct copy_row other = {.bytes = NULL};
    encode(fixture->storage, "1, 'word', 0.5, x'01'", &row);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        encode(fixture->storage, others[i], &other);
        assert_int_equal(copy_row_find_difference(&row, other.bytes, other.len), i);
    }
    assert_int_equal(copy_row_find_difference(&row, other.bytes, 3), 0);
    copy_row_clear(&row);
    copy_row_clear(&other);
}

static void a_row_is_described_by_its_key(void **state)
{
    const struct fixture *fixture = *state;
    struct copy_row row = {.bytes = NULL};
    char words[40];
    encode(fixture->storage, "-7, 'a' || char(10) || 'b', 0.5, x'01'", &row);
    copy_row_describe(&row, &table, words, sizeof words);
    assert_string_equal(words, "id -7, word a?b");
    copy_row_describe(&row, &table, words, 8);
    assert_true(strlen(words) < 8);
    copy_row_clear(&row);
}

TEST_GROUP(copy_row)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_row_has_the_bytes_of_the_binary_format),
        FIXTURE_TEST(a_row_comes_back_as_it_was),
        FIXTURE_TEST(a_row_that_is_not_whole_is_not_bound),
        FIXTURE_TEST(the_first_different_column_is_found),
        FIXTURE_TEST(a_row_is_described_by_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
