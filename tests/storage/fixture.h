#ifndef TESTS_STORAGE_FIXTURE_H
#define TESTS_STORAGE_FIXTURE_H

#include "storage/accounts/accounts.h"
#include "storage/archive/seats.h"
#include "storage/storage.h"
#include "storage/tables/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A data file in a folder of its own, made for each test and removed after it. */
struct fixture {
    char folder[64];
    char path[96];
    struct storage *storage;
};

/* cmocka's set-up and tear-down; *state is the fixture, its storage open. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

/* Closes without committing and opens again. */
void fixture_reopen(struct fixture *fixture);

void fixture_commit(struct fixture *fixture);

#define assert_result(call, wanted) assert_int_equal((call), (wanted))
#define assert_ok(call) assert_int_equal((call), STORAGE_OK)

/* Minimal rows, added; they return the new number. */
int64_t fixture_account(struct storage *storage, const char *name, enum storage_kind kind);
struct storage_seat fixture_seat(int64_t account, const char *name);
int64_t fixture_table(struct storage *storage);
int64_t fixture_game(struct storage *storage, int64_t table);

/* A rated game of these accounts at a table of its own, finished; the first has won. */
int64_t fixture_played(struct storage *storage, const int64_t *accounts, size_t count,
                       int64_t finished_ms);

/* What callbacks heard: their words in the order they came, a blank after each. */
struct fixture_heard {
    char text[512];
    size_t count;
    size_t stop_after; /* 0: hear all */
};

/* Adds a word; what a callback returns: whether to go on. */
bool fixture_hear(struct fixture_heard *heard, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was heard since the last call. */
#define assert_heard(heard, words)                                                                 \
    do {                                                                                           \
        assert_string_equal((heard)->text, words);                                                 \
        (heard)->text[0] = '\0';                                                                   \
        (heard)->count = 0;                                                                        \
    } while (0)

/* A number out of the data, for what no function of storage tells. */
int64_t fixture_number(struct storage *storage, const char *question);

#endif
