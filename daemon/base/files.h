#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * Restricts which files a process may open by name (landlock(7)): only files in certain folders,
 * and only for reading. Files that are already open stay usable.
 */

/* Creates a rule set for this process and its children; returns a descriptor, closed on exec. The
 * list of folders ends with NULL; missing folders are skipped. Returns -1, with a line on the log,
 * if the kernel has no Landlock. */
int files_rules(const char *const *folders);

/* Puts this process under the rules permanently. It must have set no_new_privs. Returns false with
 * errno. */
bool files_restrict(int rules) MUST_CHECK;
