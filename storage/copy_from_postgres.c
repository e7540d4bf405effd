#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the only value of a query, which is a script to run later. The caller frees it. */
static enum storage_result read_script(struct storage *sqlite, const char *query, char **script)
{
    struct sql q = sql_read(sqlite, query);

    *script = strdup(sql_first_row(&q) ? sql_borrow_text(&q) : "");
    if (*script == NULL) {
        abort(); /* out of memory */
    }
    return sql_end(&q);
}

/* Drops the triggers, which would count and note again what the copied rows count and note already.
 * *script makes them again; the caller frees it. */
static enum storage_result drop_triggers(struct storage *sqlite, char **script)
{
    char *drop = NULL;
    enum storage_result result = read_script(
        sqlite, "SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'trigger'", script);

    if (result == STORAGE_OK) {
        result = read_script(sqlite,
                             "SELECT group_concat('DROP TRIGGER \"' || name || '\"', ';')"
                             " FROM sqlite_schema WHERE type = 'trigger'",
                             &drop);
    }
    if (result == STORAGE_OK) {
        result = sql_run_script(sqlite, drop);
    }
    free(drop);
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
static enum storage_result set_next_numbers(struct copy_tables *copy)
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
        (void)snprintf(copy->postgres.why, STORAGE_WHY_SIZE,
                       "%" PRId64 " rows refer to missing rows", broken);
        return STORAGE_CORRUPT;
    }
    return result;
}

static enum storage_result receive_and_compare(struct copy_tables *copy)
{
    RETURN_FAILURE(copy_tables_receive(copy));
    RETURN_FAILURE(copy_tables_compare(copy));
    RETURN_FAILURE(
        sql_run_script(copy->sqlite, "DELETE FROM meta WHERE name = '" MIGRATE_VERSION_ROW "'"));
    RETURN_FAILURE(set_next_numbers(copy));
    return check_references(copy);
}

/* Copies everything in one transaction of each database. */
static enum storage_result copy_all(struct copy_tables *copy)
{
    char *triggers = NULL;

    RETURN_FAILURE(
        copy_postgres_begin(&copy->postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    RETURN_FAILURE(check_version(copy));
    RETURN_FAILURE(copy_tables_find(copy));
    RETURN_FAILURE(sql_run_script(copy->sqlite, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE"));
    enum storage_result result = drop_triggers(copy->sqlite, &triggers);
    if (result == STORAGE_OK) {
        result = receive_and_compare(copy);
    }
    if (result == STORAGE_OK) {
        result = sql_run_script(copy->sqlite, triggers);
    }
    free(triggers);
    return result == STORAGE_OK ? storage_commit(copy->sqlite) : result;
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
        (void)snprintf(why, STORAGE_WHY_SIZE, "there is a file of this name already");
        return STORAGE_TAKEN;
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
