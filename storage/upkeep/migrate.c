#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>

/* Generated from migrations/NNN-what.sql: `migrations`, an array of struct migration. */
#include "storage/upkeep/migrations.inc"

const struct migration *migrate_list_steps(size_t *count)
{
    *count = ARRAY_LEN(migrations);
    return migrations;
}

enum storage_result migrate_refuse_old_data(int64_t version, char why[STORAGE_WHY_SIZE])
{
    return storage_fail(why, STORAGE_OLDER,
                        "the house was made by Trickhouse 0.2.0 or older (data format %" PRId64
                        "); this program reads houses of Trickhouse 0.3.0 and newer",
                        version);
}

enum storage_result migrate_refuse_newer_data(int64_t version, size_t newest,
                                              char why[STORAGE_WHY_SIZE])
{
    if (version >= 0 && version <= (int64_t)newest) {
        return STORAGE_OK;
    }
    return storage_fail(why, STORAGE_NEWER,
                        "the file has schema version %" PRId64
                        ", but this program supports only versions up to %zu; "
                        "run the newer program that wrote the file",
                        version, newest);
}

/* Sets *version to the number of migration steps that the file has had, and *is_new to whether the
 * file is empty. */
static enum storage_result read_schema_version(struct storage *storage, size_t newest,
                                               int64_t *version, bool *is_new)
{
    int64_t application = 0;
    int64_t things = 0;

    RETURN_FAILURE(sql_read_number(storage, "PRAGMA application_id", &application));
    RETURN_FAILURE(sql_read_number(storage, "PRAGMA user_version", version));
    RETURN_FAILURE(sql_read_number(storage, "SELECT count(*) FROM sqlite_schema", &things));
    *is_new = application == 0 && *version == 0 && things == 0;
    if (application == MIGRATE_OLD_APPLICATION_ID) {
        return migrate_refuse_old_data(*version, storage->why);
    }
    if (!*is_new && application != MIGRATE_APPLICATION_ID) {
        return storage_fail(storage->why, STORAGE_FOREIGN,
                            "the file belongs to some other program; choose another file");
    }
    return migrate_refuse_newer_data(*version, newest, storage->why);
}

static enum storage_result back_up_file(struct storage *storage, int64_t version)
{
    const char *path = sqlite3_db_filename(storage->db, "main");
    char copy[4096];

    if (path == NULL || path[0] == '\0' || storage->disk != NULL) {
        return STORAGE_OK; /* data in memory or on a simulated disk gets no backup */
    }
    const int len = snprintf(copy, sizeof copy, "%s.before-%" PRId64, path, version + 1);
    if (len < 0 || (size_t)len >= sizeof copy) {
        return storage_fail(storage->why, STORAGE_IO, "the path is too long for a backup");
    }
    return storage_backup_make(storage, copy, storage->why);
}

/* A migration step that rebuilds a database table may break references while it runs; at its end
 * they must hold. */
static enum storage_result check_references(struct storage *storage)
{
    int64_t broken = 0;
    const enum storage_result result =
        sql_read_number(storage, "SELECT count(*) FROM pragma_foreign_key_check", &broken);

    if (result == STORAGE_OK && broken > 0) {
        return storage_fail(storage->why, STORAGE_CORRUPT,
                            "%" PRId64 " rows of the file refer to missing rows", broken);
    }
    return result;
}

static enum storage_result try_step(struct storage *storage, const struct migration *step,
                                    const char *note)
{
    RETURN_FAILURE(sql_run_script(storage, storage->engine->begin));
    RETURN_FAILURE(sql_run_script(storage, step->text));
    RETURN_FAILURE(storage->db == NULL ? STORAGE_OK : check_references(storage));
    RETURN_FAILURE(sql_run_script(storage, note));
    return sql_run_script(storage, "COMMIT");
}

/* Runs a step, and then the statements that note it, in a transaction of its own. */
static enum storage_result run_step(struct storage *storage, const struct migration *step,
                                    const char *note)
{
    const enum storage_result result = try_step(storage, step, note);

    if (result != STORAGE_OK) {
        char reason[STORAGE_WHY_SIZE];
        (void)snprintf(reason, sizeof reason, "%s", storage->why);
        (void)snprintf(storage->why, sizeof storage->why, "step %s failed: %.200s", step->name,
                       reason);
        /* PostgreSQL has rolled back already */
        if (storage->db != NULL && !sqlite3_get_autocommit(storage->db)) {
            (void)sqlite3_exec(storage->db, "ROLLBACK", NULL, NULL,
                               NULL); /* if the rollback fails, a later write reports it */
        }
    }
    return result;
}

enum storage_result migrate_run_steps(struct storage *storage, const struct migration *list,
                                      size_t count)
{
    int64_t version = 0;
    bool is_new = false;

    RETURN_FAILURE(read_schema_version(storage, count, &version, &is_new));
    if (version == (int64_t)count) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(is_new ? STORAGE_OK : back_up_file(storage, version));
    enum storage_result result = sql_run_script(storage, "PRAGMA foreign_keys = OFF");
    for (; result == STORAGE_OK && version < (int64_t)count; version++) {
        char note[96];
        (void)snprintf(note, sizeof note,
                       "PRAGMA application_id = %d; PRAGMA user_version = %" PRId64,
                       MIGRATE_APPLICATION_ID, version + 1);
        result = run_step(storage, &list[version], note);
    }
    return result == STORAGE_OK ? sql_run_script(storage, "PRAGMA foreign_keys = ON") : result;
}

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

static enum storage_result run_numbered_step(struct storage *storage, const struct migration *step,
                                             int64_t version)
{
    char note[160];

    (void)snprintf(note, sizeof note,
                   "INSERT INTO meta (name, value) VALUES ('" MIGRATE_VERSION_ROW "', '%" PRId64
                   "')"
                   " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                   version);
    return run_step(storage, step, note);
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
        result = run_numbered_step(storage, &list[version], version + 1);
    }
    return result;
}
