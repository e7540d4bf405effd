#pragma once

#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/storage.h"
#include "storage/tables/tables.h"
#include "tests/storage/postgres_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * The data of a house, made for each test and removed after it: a data file in its own folder. If
 * the environment variable TRICKHOUSE_TEST_DATABASE has the URL of a PostgreSQL database, it is a
 * schema of that database instead (tests/storage/on_postgres).
 */
struct fixture {
    char folder[64];                     /* exists in any case, and is empty then */
    char path[POSTGRES_SCHEMA_URL_SIZE]; /* of the data file, or the URL */
    struct storage *storage;
};

/* cmocka's set-up and tear-down functions. *state is the fixture, whose storage is open. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

/* True if the tests use PostgreSQL. */
bool fixture_is_postgres(void);

/* Skips the rest of a test that is about SQLite alone. */
#define SKIP_ON_POSTGRES(reason)                                                                   \
    do {                                                                                           \
        if (fixture_is_postgres()) {                                                               \
            print_message("about SQLite alone: %s\n", (reason));                                   \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/* Skips the rest of a test that needs PostgreSQL. */
#define SKIP_ON_SQLITE()                                                                           \
    do {                                                                                           \
        if (!fixture_is_postgres()) {                                                              \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/* Closes the storage without a commit and opens it again. */
void fixture_reopen(struct fixture *fixture);

void fixture_commit(struct fixture *fixture);

#define assert_result(call, wanted) assert_int_equal((call), (wanted))
#define assert_ok(call) assert_int_equal((call), STORAGE_OK)

/* Each function adds a minimal row and returns its number. */
int64_t fixture_add_account(struct storage *storage, const char *name, enum storage_kind kind);
struct storage_seat fixture_make_seat(int64_t account, const char *name);
int64_t fixture_add_table(struct storage *storage);
int64_t fixture_add_game(struct storage *storage, int64_t table);

/* Adds a finished, rated game that these accounts played at its own table; the first account
 * wins. */
int64_t fixture_add_finished_game(struct storage *storage, const int64_t *accounts, size_t count,
                                  int64_t finished_ms);

/* The words that callbacks of storage added, in order, each followed by a blank. */
struct fixture_words {
    char text[512];
    size_t count;
    size_t stop_after; /* number of words after which to stop the listing; 0: never stop */
};

/* Adds a word. Returns whether the listing is to go on; the callback that adds the word returns the
 * same. */
bool fixture_add_word(struct fixture_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Asserts the words that were added since the last call. */
#define assert_words(words, expected)                                                              \
    do {                                                                                           \
        assert_string_equal((words)->text, expected);                                              \
        (words)->text[0] = '\0';                                                                   \
        (words)->count = 0;                                                                        \
    } while (0)

/* What a check of storage found. */
struct fixture_findings {
    unsigned count;
    char words[STORAGE_WHY_SIZE]; /* of the last finding */
};

/* The callback of struct storage_findings; its context is a struct fixture_findings. */
void fixture_keep_finding(void *context, const char *words);

/* Returns the number that an SQL query selects, for numbers that no function of storage returns. */
int64_t fixture_read_number(struct storage *storage, const char *query);
