#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/* the user and group that a process running as root changes to permanently */
struct rights {
    uid_t user;
    gid_t group;
};

/* Finds a user by name. Returns false with errno 0 if there is no such user or the user is root or
 * in root's group.
 * Returns false with errno set if the search failed. */
bool rights_find_user(const char *name, struct rights *rights) MUST_CHECK;

/* Makes this process run as the given user, without root's groups and capabilities, and keeps other
 * processes from tracing it. On failure returns false with errno; the change may be half done, so
 * the process must not go on. */
bool rights_change_user(const struct rights *rights) MUST_CHECK;

/* Changes the user like rights_change_user, but keeps the right to listen on ports below 1024.
 * Programs that this process starts have that right too. */
bool rights_change_user_keep_low_ports(const struct rights *rights) MUST_CHECK;

/* Gives up all capabilities, unless the process is root, which needs them to change its user later.
 * Returns false with errno. */
bool rights_give_up_capabilities(void) MUST_CHECK;
