#ifndef DAEMON_CLI_HOUSE_USER_H
#define DAEMON_CLI_HOUSE_USER_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * Whom a house runs as that root opens: never root. That is the user who is named; or else the
 * owner of its folder; or else, with a new folder, "trickhouse", or "nobody" where no such account
 * is. The folder and all in it is given to that user.
 */
#define HOUSE_USER "trickhouse"
#define HOUSE_USER_LAST "nobody"

/*
 * Makes the folder when there is none, gives it away, and becomes the user: all that comes after is
 * done without root's rights, but with that to listen on ports below 1024 when `needs_low_port`.
 * Who is not root stays as they are. `name` NULL or "": none is named. False after one clear line:
 * no such user, or the user cannot reach the folder.
 */
bool house_user_become(const char *name, const char *data_dir, bool needs_low_port) MUST_CHECK;

#endif
