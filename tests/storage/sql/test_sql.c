#include "storage/sql/sql.h"

#include "tests/storage/fixture.h"

#include <string.h>

static const char make_text[] =
    "CREATE TEMP TABLE things (id INTEGER PRIMARY KEY, whole INTEGER, part REAL, words TEXT UNIQUE,"
    " bytes BLOB, account INTEGER, must INTEGER NOT NULL DEFAULT 0)";
static const char add_words[] = "INSERT INTO things (words) VALUES (?)";
static const char count_text[] = "SELECT count(*) FROM things";

static struct storage *set_up_with_a_table_of_things(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(sql_run_script(fixture->storage, make_text));
    return fixture->storage;
}

static enum storage_result add_words_row(struct storage *storage, const char *words)
{
    struct sql q = sql_write(storage, add_words);

    sql_bind_text(&q, words, 8);
    return sql_run(&q);
}

static void values_are_bound_and_read_in_order(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    char words[8], bytes[3];
    size_t len = 0;
    int64_t id = 0;
    struct sql q = sql_write(storage, "INSERT INTO things (whole, part, words, bytes, account)"
                                      " VALUES (?, ?, ?, ?, ?)");

    sql_bind_int(&q, INT64_MIN);
    sql_bind_real(&q, 0.1);
    sql_bind_text(&q, "seven77", 8);
    sql_bind_bytes(&q, "a\0b", 3);
    sql_bind_id(&q, 12);
    assert_ok(sql_run_insertion(&q, &id));
    assert_int_equal(id, 1);
    q = sql_read(storage, "SELECT whole, part, words, bytes, account, words, bytes FROM things");
    assert_true(sql_first_row(&q));
    assert_true(sql_read_int(&q) == INT64_MIN);
    assert_true(sql_read_real(&q) == 0.1);
    sql_read_text(&q, words, sizeof words);
    assert_string_equal(words, "seven77");
    sql_read_bytes(&q, bytes, sizeof bytes);
    assert_memory_equal(bytes, "a\0b", 3);
    assert_int_equal(sql_read_int(&q), 12);
    assert_string_equal(sql_borrow_text(&q), "seven77");
    assert_memory_equal(sql_borrow_bytes(&q, &len), "a\0b", 3);
    assert_int_equal(len, 3);
    assert_false(sql_next_row(&q));
    assert_ok(sql_end(&q));
}

static void null_reads_as_zero_or_the_empty_text(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    char words[8] = "old";
    size_t len = 9;
    struct sql q = sql_write(storage, "INSERT INTO things (account) VALUES (?)");

    sql_bind_id(&q, 0);
    assert_ok(sql_run(&q));
    assert_int_equal(
        fixture_read_number(storage, "SELECT count(*) FROM things WHERE account IS NULL"), 1);
    q = sql_read(storage, "SELECT whole, part, words, words, bytes FROM things");
    assert_true(sql_first_row(&q));
    assert_int_equal(sql_read_int(&q), 0);
    assert_true(sql_read_real(&q) == 0.0);
    sql_read_text(&q, words, sizeof words);
    assert_string_equal(words, "");
    assert_string_equal(sql_borrow_text(&q), "");
    assert_null(sql_borrow_bytes(&q, &len));
    assert_int_equal(len, 0);
    assert_ok(sql_end(&q));
}

static void an_enum_value_out_of_range_reads_as_the_first_value(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    struct sql q = sql_read(storage, "SELECT 0, 3, 4, -1, 4294967297, NULL");

    assert_true(sql_first_row(&q));
    assert_int_equal(sql_read_enum(&q, 3), 0);
    assert_int_equal(sql_read_enum(&q, 3), 3);
    assert_int_equal(sql_read_enum(&q, 3), 0);
    assert_int_equal(sql_read_enum(&q, 3), 0);
    assert_int_equal(sql_read_enum(&q, 3), 0);
    assert_int_equal(sql_read_enum(&q, 3), 0);
    assert_ok(sql_end(&q));
}

static void a_text_that_does_not_fit_is_refused_not_truncated(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);

    assert_ok(add_words_row(storage, "1234567"));
    assert_result(add_words_row(storage, "12345678"), STORAGE_REFUSED);
    assert_non_null(strstr(storage_last_failure(storage), "longer than the 7 bytes"));
    assert_int_equal(fixture_read_number(storage, count_text), 1);
    assert_ok(add_words_row(storage, "again")); /* the statement can still be run */
}

/* The stored text was not written by this program: nothing more may be written to the file. */
static void a_stored_text_that_does_not_fit_is_reported_as_damage(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    char words[4] = "old";
    struct sql q = sql_read(storage, "SELECT 'abcd'");

    assert_true(sql_first_row(&q));
    sql_read_text(&q, words, sizeof words);
    assert_string_equal(words, "");
    assert_result(sql_end(&q), STORAGE_CORRUPT);
    assert_result(add_words_row(storage, "x"), STORAGE_CORRUPT);
    assert_result(storage_commit(storage), STORAGE_CORRUPT);
}

static void stored_bytes_of_a_wrong_length_are_reported_as_damage(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    char bytes[3] = "old";
    struct sql q = sql_read(storage, "SELECT x'0102'");

    assert_true(sql_first_row(&q));
    sql_read_bytes(&q, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\0\0", 3);
    assert_result(sql_end(&q), STORAGE_CORRUPT);
}

static void after_a_failed_call_further_calls_on_the_statement_do_nothing(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    struct sql q = sql_write(storage, "INSERT INTO things (words, whole) VALUES (?, ?)");
    int64_t id = 77;

    sql_bind_text(&q, "12345678", 8);
    sql_bind_int(&q, 3);
    sql_run_and_reset(&q);
    assert_false(sql_next_row(&q));
    assert_false(sql_first_row(&q));
    assert_result(sql_run_insertion(&q, &id), STORAGE_REFUSED);
    assert_int_equal(id, 77);
    assert_int_equal(fixture_read_number(storage, count_text), 0);
}

static void a_missing_row_is_reported_as_not_found(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    struct sql q = sql_read(storage, "SELECT words FROM things WHERE id = ?");

    sql_bind_int(&q, 5);
    assert_false(sql_first_row(&q));
    assert_result(sql_end(&q), STORAGE_NOT_FOUND);
    q = sql_write(storage, "UPDATE things SET whole = 1 WHERE words = 'none'");
    assert_result(sql_run_change(&q), STORAGE_NOT_FOUND);
    assert_ok(add_words_row(storage, "none"));
    q = sql_write(storage, "UPDATE things SET whole = 2 WHERE words = 'none'");
    assert_ok(sql_run_change(&q));
}

static void a_duplicate_row_and_a_bad_reference_have_different_results(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    const struct storage_key key = {
        .fingerprint = "SHA256:abc", .type = "ssh-ed25519", .added_ms = 1};
    struct sql q;

    assert_ok(add_words_row(storage, "one"));
    assert_result(add_words_row(storage, "one"), STORAGE_TAKEN);
    assert_string_equal(storage_last_failure(storage), "");
    q = sql_write(storage, "INSERT INTO things (id) VALUES (1)");
    assert_result(sql_run(&q), STORAGE_TAKEN);
    q = sql_write(storage, "INSERT INTO things (must) VALUES (NULL)");
    assert_result(sql_run(&q), STORAGE_REFUSED);
    assert_result(storage_key_add(storage, 5, &key), STORAGE_REFUSED);
    assert_string_not_equal(storage_last_failure(storage), "");
    assert_int_equal(fixture_read_number(storage, count_text), 1);
}

static void one_statement_can_write_many_rows(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    struct sql q = sql_write(storage, add_words);

    for (int i = 0; i < 3; i++) {
        char words[2] = {(char)('a' + i), '\0'};
        sql_bind_text(&q, words, sizeof words);
        sql_run_and_reset(&q);
    }
    assert_ok(sql_end(&q));
    assert_int_equal(fixture_read_number(storage, "SELECT words = 'c' FROM things WHERE id = 3"),
                     1);
    assert_int_equal(fixture_read_number(storage, count_text), 3);
}

static void a_failed_group_of_writes_is_undone_and_earlier_writes_stay(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);

    assert_ok(add_words_row(storage, "before"));
    assert_ok(sql_savepoint_begin(storage));
    assert_ok(add_words_row(storage, "first"));
    assert_result(sql_savepoint_end(storage, add_words_row(storage, "first")), STORAGE_TAKEN);
    assert_int_equal(fixture_read_number(storage, count_text), 1);
    assert_ok(sql_savepoint_begin(storage));
    assert_ok(add_words_row(storage, "first"));
    assert_result(sql_savepoint_end(storage, STORAGE_OK), STORAGE_OK);
    assert_ok(add_words_row(storage, "after"));
    assert_int_equal(fixture_read_number(storage, count_text), 3);
    assert_ok(storage_commit(storage));
}

static void a_missing_number_reads_as_zero_and_an_invalid_one_is_an_error(void **state)
{
    struct storage *storage = set_up_with_a_table_of_things(state);
    int64_t value = 77;

    assert_ok(sql_read_number(storage, "SELECT id FROM things", &value));
    assert_int_equal(value, 0);
    assert_ok(sql_read_number(storage, "SELECT 41 + 1", &value));
    assert_int_equal(value, 42);
    assert_int_not_equal(sql_read_number(storage, "SELECT nonsense", &value), STORAGE_OK);
    assert_int_equal(value, 0);
    assert_non_null(strstr(storage_last_failure(storage), "nonsense"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(values_are_bound_and_read_in_order),
        FIXTURE_TEST(null_reads_as_zero_or_the_empty_text),
        FIXTURE_TEST(an_enum_value_out_of_range_reads_as_the_first_value),
        FIXTURE_TEST(a_text_that_does_not_fit_is_refused_not_truncated),
        FIXTURE_TEST(a_stored_text_that_does_not_fit_is_reported_as_damage),
        FIXTURE_TEST(stored_bytes_of_a_wrong_length_are_reported_as_damage),
        FIXTURE_TEST(after_a_failed_call_further_calls_on_the_statement_do_nothing),
        FIXTURE_TEST(a_missing_row_is_reported_as_not_found),
        FIXTURE_TEST(a_duplicate_row_and_a_bad_reference_have_different_results),
        FIXTURE_TEST(one_statement_can_write_many_rows),
        FIXTURE_TEST(a_failed_group_of_writes_is_undone_and_earlier_writes_stay),
        FIXTURE_TEST(a_missing_number_reads_as_zero_and_an_invalid_one_is_an_error),
    };
    return cmocka_run_group_tests_name("sql", tests, NULL, NULL);
}
