#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * Restricts which files a process may open by name (landlock(7)): only files in certain folders,
 * and only for reading. Files that are already open stay usable.
 */

/* Makes the rules that allow this process and its children only to read files in these folders. The
 * list ends with NULL; missing folders are skipped. Returns a close-on-exec descriptor; -1, with a
 * line on the log, if the kernel has no Landlock. */
int files_make_access_rules(const char *const *readable_folders);

/* Applies the rules to this process permanently. The process must have set no_new_privs. Returns
 * false with errno. */
bool files_apply_access_rules(int rules_fd) MUST_CHECK;
