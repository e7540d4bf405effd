#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TIME_FORM "%Y%m%dT%H%M%SZ.db"

struct backup {
    unsigned long number; /* 0: its name has none */
    int64_t begun_s;
};

/* Reads a name such as backups_dir_write_name writes. Returns false for the names of other files,
 * which are not backups. */
static bool read_backup_name(const char *name, struct backup *backup)
{
    struct tm utc = {0};
    *backup = (struct backup){0};
    if (strncmp(name, "house-", strlen("house-")) != 0) {
        return false;
    }
    const char *at = name + strlen("house-");
    if (*at == 'n') {
        char *end;
        backup->number = strtoul(at + 1, &end, 10);
        if (*end != '-') {
            return false;
        }
        at = end + 1;
    }
    const char *end = strptime(at, TIME_FORM, &utc);
    backup->begun_s = end != NULL ? timegm(&utc) : 0;
    return end != NULL && *end == '\0';
}

static bool is_newer(const struct backup *a, const struct backup *b)
{
    return a->number != b->number ? a->number > b->number : a->begun_s > b->begun_s;
}

/* Finds the newest backup of the folder; all members are 0 if there is none. */
static struct backup find_newest(const char *path)
{
    struct backup newest = {0};
    const struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct backup backup;
        if (read_backup_name(entry->d_name, &backup) && is_newer(&backup, &newest)) {
            newest = backup;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return newest;
}

void backups_dir_write_name(const char *path, int64_t begun_ms, char name[BACKUPS_NAME_MAX])
{
    const time_t seconds = (time_t)(begun_ms / 1000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    int len = snprintf(name, BACKUPS_NAME_MAX, "house-n%06lu-", find_newest(path).number + 1);
    (void)strftime(name + len, BACKUPS_NAME_MAX - (size_t)len, TIME_FORM, &utc);
}

bool backups_dir_make(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

int64_t backups_dir_find_newest_s(const char *path)
{
    return find_newest(path).begun_s;
}

static int is_backup(const struct dirent *entry)
{
    struct backup backup;
    return read_backup_name(entry->d_name, &backup);
}

static int order_by_age(const struct dirent **a, const struct dirent **b)
{
    struct backup one, other;
    bool are_backups =
        read_backup_name((*a)->d_name, &one) && read_backup_name((*b)->d_name, &other);
    return are_backups ? is_newer(&one, &other) - is_newer(&other, &one) : 0;
}

int backups_dir_remove_oldest(const char *path, size_t keep_count)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_backup, order_by_age);
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
