#include "storage/upkeep/upkeep.h"

#include "tests/cluster/copy_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The connection of a copy to the server. */

/* Connects to the fixture's database, whose table `t` has the only column `n`, from 1 to 5. */
static void connect(struct copy_postgres *postgres, char why[STORAGE_WHY_SIZE])
{
    assert_ok(copy_postgres_connect(postgres, copy_fixture_url, why));
    assert_ok(copy_postgres_run(postgres, "CREATE TABLE t (n bigint PRIMARY KEY)"));
    assert_ok(copy_postgres_run(postgres, "INSERT INTO t SELECT generate_series(1, %d)", 5));
}

static void a_url_that_cannot_be_read_is_not_repeated(void **state)
{
    struct copy_postgres postgres;
    char why[STORAGE_WHY_SIZE] = "";
    (void)state;
    assert_result(copy_postgres_connect(&postgres, "postgresql://me:secret@[::1/house", why),
                  STORAGE_IO);
    assert_string_equal(why, "this is not the URL of a PostgreSQL database");
    copy_postgres_close(&postgres);
}

static void a_refused_connection_is_described_in_one_line_without_the_password(void **state)
{
    static const char wrong[] = "not-the-password";
    char right[64];
    char why[STORAGE_WHY_SIZE] = "";
    struct copy_postgres postgres;
    (void)state;
    (void)snprintf(right, sizeof right, "%s", getenv("PGPASSWORD"));
    assert_int_equal(setenv("PGPASSWORD", wrong, 1), 0);
    assert_result(copy_postgres_connect(&postgres, copy_fixture_url, why), STORAGE_IO);
    assert_int_equal(setenv("PGPASSWORD", right, 1), 0);
    assert_non_null(strstr(why, "password authentication failed"));
    assert_null(strchr(why, '\n'));
    assert_null(strstr(why, wrong));
    copy_postgres_close(&postgres);
}

static void what_the_data_break_is_refused_and_all_else_is_a_failure(void **state)
{
    struct copy_postgres postgres;
    PGresult *rows = NULL;
    int64_t number = 0;
    char why[STORAGE_WHY_SIZE] = "";
    (void)state;
    connect(&postgres, why);
    assert_result(copy_postgres_run(&postgres, "INSERT INTO t VALUES (%d)", 3), STORAGE_REFUSED);
    assert_non_null(strstr(why, "Key (n)=(3) already exists"));
    assert_result(copy_postgres_query(&postgres, &rows, "SELECT n FROM no_table"), STORAGE_IO);
    assert_null(rows);
    assert_ok(copy_postgres_read_number(&postgres, &number, "SELECT max(n) FROM t"));
    assert_int_equal(number, 5);
    copy_postgres_close(&postgres);
}

static void a_transaction_may_take_long_whatever_the_database_says(void **state)
{
    struct copy_postgres postgres;
    int64_t number = -1;
    char why[STORAGE_WHY_SIZE] = "";
    (void)state;
    copy_fixture_change_database("ALTER DATABASE house SET statement_timeout = 1000");
    connect(&postgres, why);
    assert_ok(copy_postgres_begin(&postgres, "BEGIN"));
    assert_ok(copy_postgres_read_number(
        &postgres, &number, "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"));
    assert_int_equal(number, 0);
    copy_postgres_close(&postgres);
}

/* Begins to receive the table, and receives at most so many rows. Returns their number. */
static unsigned receive(struct copy_postgres *postgres, unsigned most, PGresult **failed)
{
    struct copy_stream stream = {.bytes = NULL};
    const uint8_t *row = NULL;
    size_t len = 0;
    unsigned count = 0;
    assert_ok(copy_postgres_begin_copy(postgres, PGRES_COPY_OUT,
                                       "COPY (SELECT n FROM t ORDER BY n) TO STDOUT (FORMAT"
                                       " binary)",
                                       "t"));
    while (count < most && copy_postgres_next_row(postgres, &stream, &row, &len)) {
        count++;
        assert_int_equal(len, 2 + 4 + 8);
        assert_int_equal(row[len - 1], count);
    }
    copy_postgres_end_copy(postgres, &stream, failed);
    return count;
}

static void rows_come_without_header_and_trailer(void **state)
{
    struct copy_postgres postgres;
    PGresult *failed = NULL;
    char why[STORAGE_WHY_SIZE] = "";
    (void)state;
    connect(&postgres, why);
    assert_int_equal(receive(&postgres, 100, &failed), 5);
    assert_null(failed);
    assert_int_equal(receive(&postgres, 2, &failed), 2); /* the others are not wanted */
    assert_null(failed);
    assert_ok(copy_postgres_run(&postgres, "DELETE FROM t"));
    assert_int_equal(receive(&postgres, 100, &failed), 0);
    assert_null(failed);
    copy_postgres_close(&postgres);
}

static void a_copy_that_cannot_begin_names_the_table(void **state)
{
    struct copy_postgres postgres;
    char why[STORAGE_WHY_SIZE] = "";
    (void)state;
    connect(&postgres, why);
    assert_result(
        copy_postgres_begin_copy(&postgres, PGRES_COPY_IN, "COPY no_table FROM STDIN", "no_table"),
        STORAGE_IO);
    assert_int_equal(strncmp(why, "no_table: ", strlen("no_table: ")), 0);
    copy_postgres_close(&postgres);
}

TEST_GROUP(copy_postgres)
{
    const struct CMUnitTest tests[] = {
        COPY_TEST(a_url_that_cannot_be_read_is_not_repeated),
        COPY_TEST(a_refused_connection_is_described_in_one_line_without_the_password),
        COPY_TEST(what_the_data_break_is_refused_and_all_else_is_a_failure),
        COPY_TEST(a_transaction_may_take_long_whatever_the_database_says),
        COPY_TEST(rows_come_without_header_and_trailer),
        COPY_TEST(a_copy_that_cannot_begin_names_the_table),
    };
    return COPY_FIXTURE_RUN(tests);
}
