#ifndef DAEMON_BASE_FILES_H
#define DAEMON_BASE_FILES_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * Which files a process may open by name: those below some folders, for reading (landlock(7)). What
 * is open already stays as it is.
 */

/* A rule set that those who are forked off may use too: a descriptor, closed on exec. The folders
 * end with NULL; one that is not there is passed over. -1, with a line on the log, where the kernel
 * has no Landlock. */
int files_rules(const char *const *folders);

/* Puts this process under the rules for good. It must have no_new_privs. False with errno. */
bool files_restrict(int rules) MUST_CHECK;

#endif
