#ifndef DAEMON_PROCESSES_COMMON_BACKUPS_DIR_H
#define DAEMON_PROCESSES_COMMON_BACKUPS_DIR_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The folder of backups: house-20261120T091500Z.db, one a backup, named after when it was begun
 * (UTC), so that names sort by age. A copy that is not yet checked ends in ".partial".
 */
#define BACKUPS_NAME_MAX 40

/* The name of one begun at this time (unix ms). */
void backups_dir_name(int64_t begun_ms, char name[BACKUPS_NAME_MAX]);

/* Makes the folder, for its owner alone, when there is none. False with errno. */
bool backups_dir_make(const char *path) MUST_CHECK;

/* Removes all backups but the newest `keep`, and nothing that is no backup by its name. Returns
 * how many were removed; -1 with errno when the folder cannot be read or one cannot be removed. */
int backups_dir_rotate(const char *path, size_t keep);

#endif
