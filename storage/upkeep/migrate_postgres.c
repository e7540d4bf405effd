#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>

/* Generated from migrations/NNN-what.sql and migrations/postgres/NNN-what.sql:
 * `migrations_postgres`, an array of struct migration. */
#include "storage/upkeep/migrations_postgres.inc"

const struct migration *migrate_postgres_list_steps(size_t *count)
{
    *count = ARRAY_LEN(migrations_postgres);
    return migrations_postgres;
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
        return storage_fail(storage->why, STORAGE_FOREIGN,
                            "the database does not sort texts by their bytes: make it with"
                            " createdb --locale=C.UTF-8 --template=template0");
    }
    return STORAGE_OK;
}

enum storage_result migrate_postgres_read_version(struct storage *storage, int64_t *version)
{
    int64_t has_meta = 0;

    *version = 0;
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
    RETURN_FAILURE(migrate_postgres_read_version(storage, version));
    if (*version == 0) {
        return storage_fail(storage->why, STORAGE_FOREIGN,
                            "the database belongs to some other program; choose another one");
    }
    return STORAGE_OK;
}

static enum storage_result run_step(struct storage *storage, const struct migration *step,
                                    int64_t version)
{
    char note[160];

    (void)snprintf(note, sizeof note,
                   "INSERT INTO meta (name, value) VALUES ('" MIGRATE_VERSION_ROW "', '%" PRId64
                   "')"
                   " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                   version);
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

enum storage_result migrate_postgres_run_steps(struct storage *storage,
                                               const struct migration *list, size_t count)
{
    enum storage_result result = STORAGE_OK;
    int64_t version = 0;

    RETURN_FAILURE(check_locale(storage));
    RETURN_FAILURE(read_version(storage, &version));
    if (version > (int64_t)count) {
        return storage_fail(storage->why, STORAGE_NEWER,
                            "the database has schema version %" PRId64
                            ", which is newer than this program's; run the newer program",
                            version);
    }
    for (; result == STORAGE_OK && version < (int64_t)count; version++) {
        result = run_step(storage, &list[version], version + 1);
    }
    return result;
}
