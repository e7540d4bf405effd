#include "daemon/processes/common/backups_dir.h"

#include "daemon/base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_FORM "house-%Y%m%dT%H%M%SZ.db"

void backups_dir_write_name(int64_t begun_ms, char name[BACKUPS_NAME_MAX])
{
    const time_t seconds = (time_t)(begun_ms / 1000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    (void)strftime(name, BACKUPS_NAME_MAX, NAME_FORM, &utc);
}

bool backups_dir_make(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Reads a name such as backups_dir_write_name writes. Returns false for the names of other files,
 * which are not backups. */
static bool read_backup_name(const char *name, struct tm *utc)
{
    *utc = (struct tm){0};
    const char *end = strptime(name, NAME_FORM, utc);
    return end != NULL && *end == '\0';
}

static int is_backup(const struct dirent *entry)
{
    struct tm utc;
    return read_backup_name(entry->d_name, &utc);
}

int64_t backups_dir_find_newest_s(const char *path)
{
    int64_t newest_s = 0;
    const struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct tm utc;
        int64_t begun_s = read_backup_name(entry->d_name, &utc) ? timegm(&utc) : 0;
        newest_s = begun_s > newest_s ? begun_s : newest_s;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return newest_s;
}

int backups_dir_remove_oldest(const char *path, size_t keep_count)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_backup, alphasort);
    if (count < 0) {
        return -1;
    }
    int removed = 0;
    int error = 0;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t surplus = (size_t)count > keep_count ? (size_t)count - keep_count : 0;
    for (size_t i = 0; i < (size_t)count; i++) {
        if (i < surplus && unlinkat(folder, entries[i]->d_name, 0) == 0) {
            removed++;
        } else if (i < surplus) {
            error = errno;
        }
        free(entries[i]);
    }
    free(entries);
    fd_close(folder);
    errno = error;
    return error == 0 ? removed : -1;
}
