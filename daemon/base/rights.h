#ifndef DAEMON_BASE_RIGHTS_H
#define DAEMON_BASE_RIGHTS_H

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/* How root becomes somebody else, for good. */
struct rights {
    uid_t user;
    gid_t group;
};

/* The account of that name. False when there is none, or it is root's; errno is 0 then, or what
 * kept it from being looked up. */
bool rights_find(const char *name, struct rights *rights) MUST_CHECK;

/* Becomes that user, without root's groups and without any capability, and lets nobody trace the
 * process. False with errno, and the process must not go on: it may have done half of it. */
bool rights_become(const struct rights *rights) MUST_CHECK;

/* The same, but keeps the right to listen on ports below 1024, for the programs it runs too. */
bool rights_become_listening(const struct rights *rights) MUST_CHECK;

/* Gives up whatever capabilities a process has that is not root. Root keeps them: it becomes
 * somebody later. False with errno. */
bool rights_clear(void) MUST_CHECK;

#endif
