#ifndef DAEMON_SESSION_FILES_H
#define DAEMON_SESSION_FILES_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * Which files a session may open by name: descriptions of terminals, for reading (landlock(7)).
 * What is open already stays as it is.
 */

/* A rule set, to be inherited by sessions: a descriptor, closed on exec. -1, with a line on the
 * log, where the kernel has no Landlock. */
int files_rules(void);

/* Puts this process under the rules for good. It must have no_new_privs. False with errno. */
bool files_restrict(int rules) MUST_CHECK;

#endif
