#include "tests/cluster/postgres_copy.h"

#include "storage/storage.h"
#include "tests/cluster/rig_processes.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define BYTEA 17 /* the number of the type in PostgreSQL's catalogue */
#define SQL_SIZE 8192
#define TABLES_MAX 100
#define NAME_SIZE 64

static void run_sqlite(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        rig_fail(0, sql, sqlite3_errmsg(db));
    }
}

/* Returns the rows that the query finds; the caller clears them. */
static PGresult *query_postgres(PGconn *from, const char *sql)
{
    PGresult *rows = PQexec(from, sql);
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) {
        rig_fail(0, sql, PQerrorMessage(from));
    }
    return rows;
}

/* Makes the file with the house's schema. */
static sqlite3 *make_file(const char *path)
{
    struct storage *storage;
    char why[STORAGE_WHY_SIZE];
    sqlite3 *db = NULL;
    if (storage_open(path, &storage, why) != STORAGE_OK) {
        rig_fail(0, path, why);
    }
    storage_close(storage);
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        rig_fail(0, path, sqlite3_errmsg(db));
    }
    return db;
}

/* Lists the values of the first column that the query finds. Returns how many there are. */
static size_t list_names(sqlite3 *db, const char *query, char names[TABLES_MAX][NAME_SIZE])
{
    sqlite3_stmt *row = NULL;
    size_t count = 0;
    if (sqlite3_prepare_v2(db, query, -1, &row, NULL) != SQLITE_OK) {
        rig_fail(0, query, sqlite3_errmsg(db));
    }
    while (sqlite3_step(row) == SQLITE_ROW && count < TABLES_MAX) {
        (void)snprintf(names[count++], NAME_SIZE, "%s", (const char *)sqlite3_column_text(row, 0));
    }
    (void)sqlite3_finalize(row);
    return count;
}

/* Triggers would act on rows that the house has already acted on. */
static void drop_triggers(sqlite3 *db)
{
    char names[TABLES_MAX][NAME_SIZE];
    char sql[NAME_SIZE + 32];
    size_t count = list_names(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'", names);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(sql, sizeof(sql), "DROP TRIGGER %s", names[i]);
        run_sqlite(db, sql);
    }
}

static bool has_table(PGconn *from, const char *name)
{
    const char *const arguments[] = {name};
    PGresult *row =
        PQexecParams(from, "SELECT to_regclass($1) IS NOT NULL", 1, NULL, arguments, NULL, NULL, 0);
    if (PQresultStatus(row) != PGRES_TUPLES_OK) {
        rig_fail(0, name, PQerrorMessage(from));
    }
    bool is_there = strcmp(PQgetvalue(row, 0, 0), "t") == 0;
    PQclear(row);
    return is_there;
}

/* Prepares the statement that inserts a row with the columns of `rows`. */
static sqlite3_stmt *prepare_insert(sqlite3 *db, const char *name, const PGresult *rows)
{
    char sql[SQL_SIZE];
    sqlite3_stmt *insert = NULL;
    int len = snprintf(sql, sizeof(sql), "INSERT INTO %s (", name);
    for (int i = 0; i < PQnfields(rows); i++) {
        len += snprintf(&sql[len], sizeof(sql) - (size_t)len, "%s%s", i == 0 ? "" : ", ",
                        PQfname(rows, i));
    }
    len += snprintf(&sql[len], sizeof(sql) - (size_t)len, ") VALUES (");
    for (int i = 0; i < PQnfields(rows); i++) {
        len += snprintf(&sql[len], sizeof(sql) - (size_t)len, i == 0 ? "?" : ", ?");
    }
    (void)snprintf(&sql[len], sizeof(sql) - (size_t)len, ")");
    if (sqlite3_prepare_v2(db, sql, -1, &insert, NULL) != SQLITE_OK) {
        rig_fail(0, sql, sqlite3_errmsg(db));
    }
    return insert;
}

/* Binds one value. PostgreSQL gives numbers as text, which SQLite turns into the column's type. */
static void bind_value(sqlite3_stmt *insert, const PGresult *rows, int row, int column)
{
    const char *text = PQgetvalue(rows, row, column);
    if (PQgetisnull(rows, row, column)) {
        (void)sqlite3_bind_null(insert, column + 1);
    } else if (PQftype(rows, column) == BYTEA) {
        size_t len;
        unsigned char *bytes = PQunescapeBytea((const unsigned char *)text, &len);
        (void)sqlite3_bind_blob(insert, column + 1, bytes, (int)len, SQLITE_TRANSIENT);
        PQfreemem(bytes);
    } else {
        (void)sqlite3_bind_text(insert, column + 1, text, PQgetlength(rows, row, column),
                                SQLITE_TRANSIENT);
    }
}

static void copy_table(PGconn *from, sqlite3 *db, const char *name)
{
    char sql[NAME_SIZE + 32];
    (void)snprintf(sql, sizeof(sql), "DELETE FROM %s", name); /* a new house has some rows */
    run_sqlite(db, sql);
    (void)snprintf(sql, sizeof(sql), "SELECT * FROM %s", name);
    PGresult *rows = query_postgres(from, sql);
    sqlite3_stmt *insert = prepare_insert(db, name, rows);
    for (int row = 0; row < PQntuples(rows); row++) {
        for (int column = 0; column < PQnfields(rows); column++) {
            bind_value(insert, rows, row, column);
        }
        if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK) {
            rig_fail(0, name, sqlite3_errmsg(db));
        }
    }
    (void)sqlite3_finalize(insert);
    PQclear(rows);
}

void postgres_copy_to_sqlite(PGconn *from, const char *path)
{
    char names[TABLES_MAX][NAME_SIZE];
    sqlite3 *db = make_file(path);
    size_t count = list_names(db,
                              "SELECT name FROM sqlite_schema WHERE type = 'table'"
                              " AND name NOT LIKE 'sqlite_%'",
                              names);
    run_sqlite(db, "BEGIN");
    drop_triggers(db);
    for (size_t i = 0; i < count; i++) {
        if (has_table(from, names[i])) {
            copy_table(from, db, names[i]);
        }
    }
    run_sqlite(db, "COMMIT");
    (void)sqlite3_close(db);
}
