#ifndef TESTS_STORAGE_FIXTURE_H
#define TESTS_STORAGE_FIXTURE_H

#include "storage/accounts.h"
#include "storage/games.h"
#include "storage/seats.h"
#include "storage/storage.h"
#include "storage/tables.h"

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

#endif
