#include "tests/daemon/cli/stored_account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>

void stored_account_add(const char *database, const char *name)
{
    char sql[256];
    sqlite3 *db = NULL;
    snprintf(
        sql, sizeof sql,
        "INSERT INTO accounts (name, skeleton, kind, role, password_hash, settings, created_ms,"
        " seen_ms) VALUES ('%s', '%s', 0, 0, '', '{}', 1, 1)",
        name, name);
    assert_int_equal(sqlite3_open(database, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
