#include "storage/copy.h"

#include "storage/backup.h"
#include "storage/check.h"

#include <stdio.h>
#include <unistd.h>

#define PATH_SIZE 4096

/* All at once: nobody is waiting yet. */
static enum storage_result copy_whole(struct storage *storage, const char *path)
{
    struct storage_backup *backup = NULL;
    bool is_done = false;
    enum storage_result result = storage_backup_begin(storage, path, &backup, storage->why);

    if (result != STORAGE_OK) {
        return result;
    }
    result = storage_backup_step(backup, -1, &is_done, storage->why);
    const enum storage_result ended = storage_backup_end(backup, storage->why);
    return result == STORAGE_OK ? ended : result;
}

enum storage_result copy_database(struct storage *storage, const char *path)
{
    char partial[PATH_SIZE];
    const int len = snprintf(partial, sizeof partial, "%s.partial", path);

    if (len < 0 || (size_t)len >= sizeof partial) {
        (void)snprintf(storage->why, sizeof storage->why, "its path is too long for a backup");
        return STORAGE_IO;
    }
    enum storage_result result = copy_whole(storage, partial);
    if (result == STORAGE_OK) {
        result = check_pages(partial, storage->why);
    }
    if (result == STORAGE_OK) {
        result = storage_backup_keep(partial, path, storage->why);
    }
    if (result != STORAGE_OK) {
        (void)unlink(partial); /* the failure is told already */
    }
    return result;
}
