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

static enum storage_result set_pragma(struct storage *storage, const char *pragma, int64_t value)
{
    char text[64];

    (void)snprintf(text, sizeof text, "PRAGMA %s = %" PRId64, pragma, value);
    return sql_run_script(storage, text);
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

static enum storage_result try_migration_step(struct storage *storage,
                                              const struct migration *migration, int64_t version)
{
    RETURN_FAILURE(sql_run_script(storage, "BEGIN IMMEDIATE"));
    RETURN_FAILURE(sql_run_script(storage, migration->text));
    RETURN_FAILURE(check_references(storage));
    RETURN_FAILURE(set_pragma(storage, "application_id", MIGRATE_APPLICATION_ID));
    RETURN_FAILURE(set_pragma(storage, "user_version", version));
    return sql_run_script(storage, "COMMIT");
}

static enum storage_result run_migration_step(struct storage *storage,
                                              const struct migration *migration, int64_t version)
{
    const enum storage_result result = try_migration_step(storage, migration, version);

    if (result != STORAGE_OK) {
        char reason[STORAGE_WHY_SIZE];
        (void)snprintf(reason, sizeof reason, "%s", storage->why);
        (void)snprintf(storage->why, sizeof storage->why, "step %s failed: %.200s", migration->name,
                       reason);
        if (!sqlite3_get_autocommit(storage->db)) {
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
        result = run_migration_step(storage, &list[version], version + 1);
    }
    return result == STORAGE_OK ? sql_run_script(storage, "PRAGMA foreign_keys = ON") : result;
}
