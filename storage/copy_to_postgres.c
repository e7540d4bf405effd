#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copy {
    struct copy_tables tables;
    PGresult *references; /* the foreign keys that PostgreSQL has, as rows of table, name, text */
};

/* Makes the tables, if the database has none, in a transaction of its own. */
static enum storage_result make_tables(const char *url, char why[STORAGE_WHY_SIZE])
{
    struct storage *made = NULL;
    const enum storage_result result = storage_open(url, &made, why);

    storage_close(made);
    return result;
}

/* Lets nobody else use the tables while the copy runs, and turns their triggers off, which would
 * count and note again what the copied rows count and note already. */
static enum storage_result turn_triggers_off(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->tables.schema.table_count; i++) {
        const char *table = copy->tables.schema.tables[i].name;
        result = copy_postgres_run(&copy->tables.postgres,
                                   "LOCK TABLE \"%s\" IN ACCESS EXCLUSIVE MODE", table);
        if (result == STORAGE_OK) {
            result = copy_postgres_run(&copy->tables.postgres,
                                       "ALTER TABLE \"%s\" DISABLE TRIGGER USER", table);
        }
    }
    return result;
}

static enum storage_result turn_triggers_on(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->tables.schema.table_count; i++) {
        result = copy_postgres_run(&copy->tables.postgres, "ALTER TABLE \"%s\" ENABLE TRIGGER USER",
                                   copy->tables.schema.tables[i].name);
    }
    return result;
}

static int count_references(const struct copy *copy)
{
    return copy->tables.postgres.pq->PQntuples(copy->references);
}

static const char *get_reference(const struct copy *copy, int i, int column)
{
    return copy->tables.postgres.pq->PQgetvalue(copy->references, i, column);
}

/* Takes the foreign keys away, so that rows can come in any order. Added again, each is checked for
 * all rows at once, which is also faster. */
static enum storage_result take_references_away(struct copy *copy)
{
    enum storage_result result = copy_postgres_query(
        &copy->tables.postgres, &copy->references,
        "SELECT conrelid::regclass, quote_ident(conname), pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE contype = 'f' AND connamespace ="
        " current_schema()::regnamespace ORDER BY conrelid::regclass::text, conname");

    for (int i = 0; result == STORAGE_OK && i < count_references(copy); i++) {
        result = copy_postgres_run(&copy->tables.postgres, "ALTER TABLE %s DROP CONSTRAINT %s",
                                   get_reference(copy, i, 0), get_reference(copy, i, 1));
    }
    return result;
}

static enum storage_result put_references_back(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;

    for (int i = 0; result == STORAGE_OK && i < count_references(copy); i++) {
        result = copy_postgres_run(&copy->tables.postgres, "ALTER TABLE %s ADD CONSTRAINT %s %s",
                                   get_reference(copy, i, 0), get_reference(copy, i, 1),
                                   get_reference(copy, i, 2));
    }
    return result;
}

/* Refuses a table with rows, except the row that tells the schema of the database. */
static enum storage_result check_table_emptiness(struct copy_postgres *postgres, const char *table)
{
    const bool is_meta = strcmp(table, "meta") == 0;
    int64_t rows = 0;

    RETURN_FAILURE(copy_postgres_read_number(
        postgres, &rows, "SELECT count(*) FROM (SELECT 1 FROM \"%s\"%s LIMIT 1) AS found", table,
        is_meta ? " WHERE name <> '" MIGRATE_VERSION_ROW "'" : ""));
    if (rows != 0) {
        (void)snprintf(postgres->why, STORAGE_WHY_SIZE,
                       "the database has a house already: its table %s is not empty", table);
        return STORAGE_REFUSED;
    }
    return STORAGE_OK;
}

static enum storage_result check_emptiness(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->tables.schema.table_count; i++) {
        result = check_table_emptiness(&copy->tables.postgres, copy->tables.schema.tables[i].name);
    }
    return result;
}

/* Gives SQLite's copy the row that tells PostgreSQL's schema, in a transaction that is rolled back,
 * and takes it away from PostgreSQL: so both have the same rows. */
static enum storage_result move_schema_row(struct copy *copy)
{
    int64_t schema = 0;
    char text[32];

    RETURN_FAILURE(
        copy_postgres_read_number(&copy->tables.postgres, &schema,
                                  "SELECT value FROM meta WHERE name = '" MIGRATE_VERSION_ROW "'"));
    RETURN_FAILURE(copy_postgres_run(&copy->tables.postgres, "DELETE FROM meta"));
    (void)snprintf(text, sizeof text, "%" PRId64, schema);
    return sql_run(SQL_WRITE(copy->tables.sqlite, "INSERT INTO meta (name, value) VALUES (?, ?)",
                             SQL_TEXT(MIGRATE_VERSION_ROW, sizeof MIGRATE_VERSION_ROW),
                             SQL_TEXT(text, sizeof text)));
}

/* Reads the highest number that SQLite has given to a row of the table; 0: it keeps no count. Rows
 * with higher numbers than the present ones may have been deleted, and no number is given twice. */
static enum storage_result read_highest_given(struct storage *from, const char *table,
                                              int64_t *highest)
{
    *highest = 0;
    const enum storage_result result =
        statement_read_number(SQL_READ(from, "SELECT seq FROM sqlite_sequence WHERE name = ?",
                                       SQL_TEXT(table, COPY_NAME_SIZE)),
                              highest);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

/* Lets the columns that PostgreSQL numbers itself go on after the highest number. */
static enum storage_result set_next_numbers(struct copy *copy)
{
    PGresult *columns = NULL;
    enum storage_result result =
        copy_postgres_query(&copy->tables.postgres, &columns, COPY_IDENTITY_COLUMNS);

    for (int i = 0; result == STORAGE_OK && i < copy->tables.postgres.pq->PQntuples(columns); i++) {
        const char *table = copy->tables.postgres.pq->PQgetvalue(columns, i, 0);
        const char *column = copy->tables.postgres.pq->PQgetvalue(columns, i, 1);
        int64_t highest = 0;
        result = read_highest_given(copy->tables.sqlite, table, &highest);
        if (result == STORAGE_OK) {
            result = copy_postgres_run(
                &copy->tables.postgres,
                "SELECT setval(pg_get_serial_sequence('\"%s\"', '%s'), greatest(n, 1), n > 0) FROM"
                " (SELECT greatest(max(\"%s\"), %" PRId64 ") AS n FROM \"%s\") AS highest",
                table, column, column, highest, table);
        }
    }
    copy->tables.postgres.pq->PQclear(columns);
    return result;
}

static enum storage_result copy_and_compare(struct copy *copy)
{
    RETURN_FAILURE(turn_triggers_off(copy));
    RETURN_FAILURE(check_emptiness(copy));
    RETURN_FAILURE(move_schema_row(copy));
    RETURN_FAILURE(take_references_away(copy));
    RETURN_FAILURE(copy_tables_send(&copy->tables));
    RETURN_FAILURE(put_references_back(copy));
    RETURN_FAILURE(turn_triggers_on(copy));
    RETURN_FAILURE(set_next_numbers(copy));
    return copy_tables_compare(&copy->tables);
}

static enum storage_result copy_in_one_transaction(struct copy *copy)
{
    struct copy_postgres *postgres = &copy->tables.postgres;

    RETURN_FAILURE(copy_postgres_begin(postgres, "BEGIN"));
    /* the commit must be durable, whatever the database's own setting is */
    RETURN_FAILURE(copy_postgres_run(postgres, "SET LOCAL synchronous_commit = 'on'"));
    RETURN_FAILURE(copy_tables_find(&copy->tables));
    RETURN_FAILURE(copy_and_compare(copy));
    /* Without it PostgreSQL would not know how many rows there are, and would run the first
     * statements in slow ways. */
    RETURN_FAILURE(copy_postgres_run(postgres, "ANALYZE"));
    return copy_postgres_run(postgres, "COMMIT");
}

enum storage_result storage_copy_to_postgres(struct storage *from, const char *url,
                                             storage_copy_report *report, void *context,
                                             char why[STORAGE_WHY_SIZE])
{
    struct copy copy = {.tables = {.sqlite = from, .report = report, .context = context}};
    enum storage_result result = copy_postgres_connect(&copy.tables.postgres, url, why);

    if (result == STORAGE_OK) {
        result = make_tables(url, why);
    }
    if (result == STORAGE_OK) {
        result = copy_in_one_transaction(&copy);
    }
    if (result != STORAGE_OK && why[0] == '\0') {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", storage_last_failure(from));
    }
    if (copy.references != NULL) {
        copy.tables.postgres.pq->PQclear(copy.references);
    }
    copy_tables_clear(&copy.tables);
    storage_rollback(from);
    return result;
}
