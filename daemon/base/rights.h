#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/* the user that root becomes permanently */
struct rights {
    uid_t user;
    gid_t group;
};

/* Looks up an account by name. Returns false if there is none or it is root's, with errno 0; or if
 * the lookup failed, with errno. */
bool rights_find_user(const char *name, struct rights *rights) MUST_CHECK;

/* Makes this process run as the given user, without root's groups and capabilities, and disables
 * tracing of it. On failure returns false with errno; the change may be half done, so the process
 * must not go on. */
bool rights_change_user(const struct rights *rights) MUST_CHECK;

/* Changes the user like rights_change_user, but keeps the right to listen on ports below 1024.
 * Programs that this process starts have that right too. */
bool rights_change_user_but_listen(const struct rights *rights) MUST_CHECK;

/* Gives up all capabilities, unless the process is root, which needs them to change its user later.
 * Returns false with errno. */
bool rights_give_up_all(void) MUST_CHECK;
