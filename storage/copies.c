#include "storage/copies.h"

#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <stdio.h>

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
        (void)snprintf(storage->why, sizeof storage->why,
                       "the file does not hold the data of a house");
        return STORAGE_FOREIGN;
    }
    if (*version > (int64_t)newest) {
        (void)snprintf(storage->why, sizeof storage->why, "a newer program wrote the file");
        return STORAGE_NEWER;
    }
    return STORAGE_OK;
}

static enum storage_result check_foreign_keys(struct storage *storage)
{
    int64_t broken = 0;
    const enum storage_result result =
        sql_read_number(storage, "SELECT count(*) FROM pragma_foreign_key_check", &broken);

    if (result == STORAGE_OK && broken > 0) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "some rows of the file refer to missing rows");
        return STORAGE_CORRUPT;
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
