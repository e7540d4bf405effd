#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The folder of backups, one file each: house-n000042-20261120T091500Z.db has the number of the
 * backup, and the time (UTC) at which it began. The numbers rise, whatever the clock says, so names
 * sort by age. A backup without a number counts as older than all that have one. The name of a copy
 * that is not yet checked ends in ".partial".
 */
#define BACKUPS_NAME_MAX 48

/* Writes the name of a backup that begins at this time: it becomes the newest of the folder. */
void backups_dir_write_name(const char *path, int64_t begun_ms, char name[BACKUPS_NAME_MAX]);

/* Makes the folder, for its owner only, if it is missing. Returns false with errno. */
bool backups_dir_make(const char *path) MUST_CHECK;

/* Returns when the newest backup began, in Unix seconds; 0 if there is none or the folder cannot be
 * read. */
int64_t backups_dir_find_newest_s(const char *path);

/* Removes all backups but the newest `keep_count`, and no other files. Returns the number of
 * removed files; -1 with errno if the folder cannot be read or a file cannot be removed. */
int backups_dir_remove_oldest(const char *path, size_t keep_count);
