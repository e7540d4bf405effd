#include "storage/copies.h"

#include "storage/sql/sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum storage_result check_application_id_and_version(struct storage *storage,
                                                            int64_t *version)
{
    int64_t application = 0;
    size_t newest = 0;

    RETURN_FAILURE(sql_read_number(storage, "PRAGMA application_id", &application));
    RETURN_FAILURE(sql_read_number(storage, "PRAGMA user_version", version));
    (void)migrate_list_steps(&newest);
    if (application == MIGRATE_OLD_APPLICATION_ID) {
        return migrate_refuse_old_data(*version, storage->why);
    }
    if (application != MIGRATE_APPLICATION_ID) {
        return storage_fail(storage->why, STORAGE_FOREIGN,
                            "the file does not hold the data of a house");
    }
    if (*version > (int64_t)newest) {
        return storage_fail(storage->why, STORAGE_NEWER, "a newer program wrote the file");
    }
    return STORAGE_OK;
}

static enum storage_result check_foreign_keys(struct storage *storage)
{
    int64_t broken = 0;
    const enum storage_result result =
        sql_read_number(storage, "SELECT count(*) FROM pragma_foreign_key_check", &broken);

    if (result == STORAGE_OK && broken > 0) {
        return storage_fail(storage->why, STORAGE_CORRUPT,
                            "some rows of the file refer to missing rows");
    }
    return result;
}

static enum storage_result read_summary(struct storage *storage, struct storage_summary *summary)
{
    RETURN_FAILURE(sql_read_number(storage, "SELECT count(*) FROM accounts WHERE kind = 0",
                                   &summary->accounts));
    RETURN_FAILURE(
        sql_read_number(storage, "SELECT count(*) FROM games WHERE state = 1", &summary->games));
    return sql_read_number(storage, "SELECT max(finished_ms) FROM games WHERE state = 1",
                           &summary->last_ms);
}

static enum storage_result check_and_read_summary(struct storage *storage,
                                                  struct storage_summary *summary)
{
    int64_t version = 0;

    RETURN_FAILURE(check_application_id_and_version(storage, &version));
    RETURN_FAILURE(file_check_pages(storage));
    RETURN_FAILURE(check_foreign_keys(storage));
    return read_summary(storage, summary);
}

enum storage_result storage_check_file(const char *path, struct storage_summary *summary,
                                       char why[STORAGE_WHY_SIZE])
{
    struct storage *storage;
    enum storage_result result = file_check_open(path, &storage);

    *summary = (struct storage_summary){0};
    if (result == STORAGE_OK) {
        result = check_and_read_summary(storage, summary);
    }
    return file_check_close(storage, result, why);
}

enum storage_result storage_open_read_only(const char *path, struct storage **storage,
                                           char why[STORAGE_WHY_SIZE])
{
    int64_t version = 0;
    size_t newest = 0;
    struct storage *opened;
    enum storage_result result = file_check_open(path, &opened);

    if (result == STORAGE_OK) {
        result = check_application_id_and_version(opened, &version);
    }
    (void)migrate_list_steps(&newest);
    if (result == STORAGE_OK && version < (int64_t)newest) {
        (void)snprintf(opened->why, sizeof opened->why,
                       "an older program wrote the file: restore it and open the house once");
        result = STORAGE_REFUSED;
    }
    *storage = result == STORAGE_OK ? opened : NULL;
    return result == STORAGE_OK ? STORAGE_OK : file_check_close(opened, result, why);
}

enum storage_result storage_open_temporary_copy(const char *path, struct storage **storage,
                                                char why[STORAGE_WHY_SIZE])
{
    int64_t version = 0;
    struct storage *source;
    enum storage_result result = file_check_open(path, &source);

    *storage = NULL;
    if (result == STORAGE_OK) {
        result = check_application_id_and_version(source, &version);
    }
    if (result != STORAGE_OK) {
        return file_check_close(source, result, why);
    }
    result = storage_open_copy_of(source, storage, why);
    storage_close(source);
    return result;
}

/* Reads the schema version of the database from a row of the table `meta`; 0: there is no such
 * row. */
static enum storage_result read_version(struct copy_postgres *postgres, const char *row,
                                        int64_t *version)
{
    int64_t has_meta = 0;

    *version = 0;
    RETURN_FAILURE(copy_postgres_read_number(
        postgres, &has_meta,
        "SELECT count(*) FROM pg_tables WHERE tablename = 'meta' AND schemaname ="
        " current_schema()"));
    if (has_meta == 0) {
        return STORAGE_OK;
    }
    return copy_postgres_read_number(
        postgres, version, "SELECT coalesce((SELECT value FROM meta WHERE name = '%s'), '0')", row);
}

/* Refuses a database that another version of the program has made: it cannot be changed here. */
static enum storage_result check_version(struct copy_tables *copy)
{
    int64_t version;

    RETURN_FAILURE(read_version(&copy->postgres, MIGRATE_OLD_VERSION_ROW, &version));
    if (version != 0) {
        return migrate_refuse_old_data(version, copy->postgres.why);
    }
    RETURN_FAILURE(read_version(&copy->postgres, MIGRATE_VERSION_ROW, &version));
    if (version == (int64_t)storage_schema_version()) {
        return STORAGE_OK;
    }
    (void)snprintf(copy->postgres.why, STORAGE_WHY_SIZE,
                   version == 0 ? "the database does not hold the data of a house"
                                : "another version of the program has made the tables of the"
                                  " database: use that one, or open the house with this one");
    return version == 0 ? STORAGE_FOREIGN : STORAGE_REFUSED;
}

/* Sets the highest number that SQLite has given to a row of the table, if SQLite keeps that. */
static enum storage_result set_highest_given(struct storage *sqlite, const char *table,
                                             int64_t highest)
{
    RETURN_FAILURE(sql_run(SQL_WRITE(sqlite, "DELETE FROM sqlite_sequence WHERE name = ?",
                                     SQL_TEXT(table, COPY_NAME_SIZE))));
    return sql_run(SQL_WRITE(sqlite,
                             "INSERT INTO sqlite_sequence (name, seq) SELECT name, ?2 FROM"
                             " sqlite_schema WHERE type = 'table' AND name = ?1"
                             " AND sql LIKE '%AUTOINCREMENT%'",
                             SQL_TEXT(table, COPY_NAME_SIZE), SQL_INT(highest)));
}

/* Lets the tables whose rows SQLite numbers go on after the highest number that was ever given. */
static enum storage_result set_next_numbers_in_file(struct copy_tables *copy)
{
    PGresult *columns = NULL;
    enum storage_result result =
        copy_postgres_query(&copy->postgres, &columns, COPY_IDENTITY_COLUMNS);

    for (int i = 0; result == STORAGE_OK && i < copy->postgres.pq->PQntuples(columns); i++) {
        const char *table = copy->postgres.pq->PQgetvalue(columns, i, 0);
        const char *column = copy->postgres.pq->PQgetvalue(columns, i, 1);
        int64_t highest = 0;
        /* no value: no number was given yet */
        result = copy_postgres_read_number(&copy->postgres, &highest,
                                           "SELECT coalesce(pg_sequence_last_value("
                                           "pg_get_serial_sequence('\"%s\"', '%s')::regclass), 0)",
                                           table, column);
        if (result == STORAGE_OK) {
            result = set_highest_given(copy->sqlite, table, highest);
        }
    }
    copy->postgres.pq->PQclear(columns);
    return result;
}

static enum storage_result check_references(struct copy_tables *copy)
{
    int64_t broken = 0;
    const enum storage_result result =
        sql_read_number(copy->sqlite, "SELECT count(*) FROM pragma_foreign_key_check", &broken);

    if (result == STORAGE_OK && broken > 0) {
        return storage_fail(copy->postgres.why, STORAGE_CORRUPT,
                            "%" PRId64 " rows refer to missing rows", broken);
    }
    return result;
}

static enum storage_result receive_and_compare(struct copy_tables *copy)
{
    RETURN_FAILURE(copy_tables_receive(copy));
    RETURN_FAILURE(copy_tables_compare(copy));
    RETURN_FAILURE(
        sql_run_script(copy->sqlite, "DELETE FROM meta WHERE name = '" MIGRATE_VERSION_ROW "'"));
    RETURN_FAILURE(set_next_numbers_in_file(copy));
    return check_references(copy);
}

/* Copies everything in one transaction of each database. */
static enum storage_result copy_all(struct copy_tables *copy)
{
    RETURN_FAILURE(
        copy_postgres_begin(&copy->postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    RETURN_FAILURE(check_version(copy));
    RETURN_FAILURE(copy_tables_find(copy));
    RETURN_FAILURE(sql_run_script(copy->sqlite, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE"));
    RETURN_FAILURE(receive_and_compare(copy));
    return storage_commit(copy->sqlite);
}

/* Removes what a failed copy has left of its file. */
static void remove_file(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char file[4096];

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(file, sizeof file, "%s%s", path, ends[i]);
        (void)unlink(file); /* the failure of the copy is what matters */
    }
}

enum storage_result storage_copy_from_postgres(const char *url, const char *path,
                                               storage_copy_report *report, void *context,
                                               char why[STORAGE_WHY_SIZE])
{
    struct copy_tables copy = {.report = report, .context = context};

    if (access(path, F_OK) == 0) {
        return storage_fail(why, STORAGE_TAKEN, "there is a file of this name already");
    }
    enum storage_result result = copy_postgres_connect(&copy.postgres, url, why);
    if (result == STORAGE_OK) {
        result = storage_open(path, &copy.sqlite, why);
    }
    if (result == STORAGE_OK) {
        result = copy_all(&copy);
        if (result != STORAGE_OK && why[0] == '\0') {
            (void)snprintf(why, STORAGE_WHY_SIZE, "%s", storage_last_failure(copy.sqlite));
        }
        storage_close(copy.sqlite);
        if (result != STORAGE_OK) {
            remove_file(path);
        }
    }
    copy_tables_clear(&copy);
    return result;
}

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

/* Lets nobody else use the tables while the copy runs. */
static enum storage_result lock_tables(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; result == STORAGE_OK && i < copy->tables.schema.table_count; i++) {
        result =
            copy_postgres_run(&copy->tables.postgres, "LOCK TABLE \"%s\" IN ACCESS EXCLUSIVE MODE",
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
        return storage_fail(postgres->why, STORAGE_REFUSED,
                            "the database has a house already: its table %s is not empty", table);
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
static enum storage_result set_next_numbers_in_postgres(struct copy *copy)
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
    RETURN_FAILURE(lock_tables(copy));
    RETURN_FAILURE(check_emptiness(copy));
    RETURN_FAILURE(move_schema_row(copy));
    RETURN_FAILURE(take_references_away(copy));
    RETURN_FAILURE(copy_tables_send(&copy->tables));
    RETURN_FAILURE(put_references_back(copy));
    RETURN_FAILURE(set_next_numbers_in_postgres(copy));
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
