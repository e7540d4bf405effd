#pragma once

#include "storage/copies.h"
#include "tests/cluster/postgres_rig.h"
#include "tests/storage/fixture.h"

/*
 * A closed data file in SQLite and an empty database on a real PostgreSQL server, for tests of
 * copies from one to the other.
 */

/* The URL of the database, which is named "house". It has a password. */
extern char copy_fixture_url[POSTGRES_RIG_URL_SIZE];

/* cmocka's set-up and tear-down for a group of tests, which start and stop the server, and for each
 * test: *state is a fixture whose file is that of a new house and closed, and whose database is
 * empty. */
int copy_fixture_start(void **state);
int copy_fixture_stop(void **state);
int copy_fixture_setup(void **state);

#define COPY_TEST(test) cmocka_unit_test_setup_teardown(test, copy_fixture_setup, fixture_teardown)

/* Runs the tests of an array; skips them where PostgreSQL is not installed. Returns main's exit
 * status. */
#define COPY_FIXTURE_RUN(tests)                                                                    \
    (postgres_rig_is_installed()                                                                   \
         ? cmocka_run_group_tests(tests, copy_fixture_start, copy_fixture_stop)                    \
         : POSTGRES_RIG_SKIPPED)

/* Runs SQL on the closed data file, as another program could. */
void copy_fixture_change_file(const struct fixture *fixture, const char *sql);

/* Runs SQL in the database. */
void copy_fixture_change_database(const char *sql);

/* Returns the first value of a query in the database, valid until the next call. */
const char *copy_fixture_ask(const char *query);

/* Makes the database anew, and the tables of a house in it, all of them empty. */
void copy_fixture_empty_database(void);
void copy_fixture_make_tables(void);

/* What a copy has reported: "table=rows " for each table that was compared. */
struct copy_fixture_report {
    char equal[4096];
};
void copy_fixture_note_progress(void *context, const struct storage_copy_progress *progress);

/* Copies the file to the database as `trickhouse cluster copy` does. `expect_copy` asserts that it
 * succeeds, `expect_refusal` that it fails with this result and these words, and without the
 * password. */
void copy_fixture_expect_copy(const struct fixture *fixture, struct copy_fixture_report *report);
void copy_fixture_expect_refusal(const struct fixture *fixture, enum storage_result expected,
                                 const char *expected_words);

/* Values that a copy could spoil: the ends of the ranges, numbers that no short text can express,
 * characters with a meaning in texts of COPY or SQL, bytes of all kinds. */
#define COPY_FIXTURE_VALUES                                                                        \
    "INSERT INTO accounts VALUES (3, 'Åsa', 'asa', 0, 0, '', '{\"a\":\"\\t\\\\N''\"}',"           \
    " -9223372036854775807 - 1, 9223372036854775807, 0, 0),"                                       \
    " (4, '雀', '雀', 1, 0, char(92) || 'N' || char(9, 10, 13, 1), '', 0, -1, 1, 1);"            \
    "INSERT INTO ratings VALUES (3, 'whist', 0, 0.1, 1.0/3, 1, 1, 4.9e-324, "                      \
    "1.7976931348623157e308,"                                                                      \
    " 1, 1, 1, 1, 1, -0.1, 1), (4, 'whist', 1, 18.95, 25.0/3, 1, 1, 0.0, "                         \
    "-2.2250738585072014e-308,"                                                                    \
    " 1, 1, 1, 1, 1, 1e15, 1);"                                                                    \
    "INSERT INTO tables (id, game, players, options, clock_s, password_hash, host, host_name,"     \
    " state, created_ms, game_id, conn, request) VALUES"                                           \
    " (7, 'whist', 4, '{}', 0, '', NULL, '', 0, 0, 0, 0, 0);"                                      \
    "INSERT INTO games (id, table_id, game, players, options, seed, commitment, is_rated, state,"  \
    " started_ms, finished_ms) VALUES (9, 7, 'whist', 4, '{}',"                                    \
    " x'000102030405060708090a0b0c0d0e0f5c27ff800a0d22090000000000000000',"                        \
    " x'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 0, 0, 0, 0);"           \
    "INSERT INTO moves (game_id, step, seat, move, at_ms, conn, request) VALUES"                   \
    " (9, 0, 0, '', 0, 0, 0), (9, 1, 1, '2C', 1, 0, 0);"
