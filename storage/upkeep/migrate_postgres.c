#include "storage/upkeep/migrate_postgres.h"

#include "storage/sql/statement.h"
#include "storage/upkeep/migrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Generated from migrations/postgres/NNN-what.sql: `migrations_postgres`, an array of struct
 * migration. */
#include "storage/upkeep/migrations_postgres.inc"

/* Returns the schema version that a step leads to: the number at the start of its name. */
static int64_t read_step_number(const struct migration *step)
{
    return strtoll(step->name, NULL, 10);
}

static enum storage_result check_locale(struct storage *storage)
{
    int64_t is_bytewise = 0;

    RETURN_FAILURE(sql_read_number(storage,
                                   "SELECT CASE WHEN datcollate IN ('C', 'C.UTF-8', 'C.utf8') AND"
                                   " pg_encoding_to_char(encoding) = 'UTF8' THEN 1 ELSE 0 END"
                                   " FROM pg_database WHERE datname = current_database()",
                                   &is_bytewise));
    if (is_bytewise == 0) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the database does not sort texts by their bytes: make it with"
                       " createdb --locale=C.UTF-8 --template=template0");
        return STORAGE_FOREIGN;
    }
    return STORAGE_OK;
}

/* Reads the schema version from the tables that the database has. Refuses the tables of Trickhouse
 * 0.2.0 or older. */
static enum storage_result read_version_of_tables(struct storage *storage, int64_t *version)
{
    int64_t has_meta = 0;

    RETURN_FAILURE(sql_read_number(storage,
                                   "SELECT count(*) FROM pg_tables WHERE tablename = 'meta' AND"
                                   " schemaname = current_schema()",
                                   &has_meta));
    if (has_meta == 0) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(sql_read_number(
        storage, "SELECT value FROM meta WHERE name = '" MIGRATE_OLD_VERSION_ROW "'", version));
    if (*version != 0) {
        return migrate_refuse_old_data(*version, storage->why);
    }
    return sql_read_number(storage, "SELECT value FROM meta WHERE name = '" MIGRATE_VERSION_ROW "'",
                           version);
}

/* Sets *version to the schema version of the database; 0 if it has no tables yet. */
static enum storage_result read_version(struct storage *storage, int64_t *version)
{
    int64_t tables = 0;

    *version = 0;
    RETURN_FAILURE(sql_read_number(
        storage, "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", &tables));
    if (tables == 0) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(read_version_of_tables(storage, version));
    if (*version == 0) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the database belongs to some other program; choose another one");
        return STORAGE_FOREIGN;
    }
    return STORAGE_OK;
}

static enum storage_result run_step(struct storage *storage, const struct migration *step)
{
    char note[128];

    (void)snprintf(note, sizeof note,
                   "INSERT INTO meta (name, value) VALUES ('" MIGRATE_VERSION_ROW "', '%" PRId64
                   "')"
                   " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                   read_step_number(step));
    RETURN_FAILURE(sql_run_script(storage, "BEGIN"));
    enum storage_result result = sql_run_script(storage, step->text);
    if (result == STORAGE_OK) {
        result = sql_run_script(storage, note);
    }
    if (result != STORAGE_OK) { /* the transaction is rolled back */
        char reason[STORAGE_WHY_SIZE];
        (void)snprintf(reason, sizeof reason, "%s", storage->why);
        (void)snprintf(storage->why, sizeof storage->why, "step %s failed: %.200s", step->name,
                       reason);
        return result;
    }
    return sql_run_script(storage, "COMMIT");
}

static enum storage_result run_steps_after(struct storage *storage, int64_t version)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < ARRAY_LEN(migrations_postgres) && result == STORAGE_OK; i++) {
        if (read_step_number(&migrations_postgres[i]) > version) {
            result = run_step(storage, &migrations_postgres[i]);
        }
    }
    return result;
}

enum storage_result migrate_postgres(struct storage *storage)
{
    const size_t count = ARRAY_LEN(migrations_postgres);
    int64_t version = 0;

    RETURN_FAILURE(check_locale(storage));
    RETURN_FAILURE(read_version(storage, &version));
    if (version > read_step_number(&migrations_postgres[count - 1])) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the database has schema version %" PRId64
                       ", which is newer than this program's; run the newer program",
                       version);
        return STORAGE_NEWER;
    }
    return run_steps_after(storage, version);
}
