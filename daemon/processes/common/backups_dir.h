#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The folder of backups: house-20261120T091500Z.db, one file per backup, named after its start
 * (UTC), so that names sort by age. The name of a copy that is not yet checked ends in ".partial".
 */
#define BACKUPS_NAME_MAX 40

/* Writes the name of a backup that began at this time. */
void backups_dir_write_name(int64_t begun_ms, char name[BACKUPS_NAME_MAX]);

/* Makes the folder, for its owner only, if it is missing. Returns false with errno. */
bool backups_dir_make(const char *path) MUST_CHECK;

/* Returns when the newest backup began, in Unix seconds; 0 if there is none or the folder cannot be
 * read. */
int64_t backups_dir_find_newest_s(const char *path);

/* Removes all backups but the newest `keep_count`, and no other files. Returns the number of
 * removed files; -1 with errno if the folder cannot be read or a file cannot be removed. */
int backups_dir_remove_oldest(const char *path, size_t keep_count);
