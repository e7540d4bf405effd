#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * The user of a house that root opens: never root. It is the named user; otherwise the owner of the
 * folder; otherwise, for a new folder, "trickhouse", or "nobody" if there is no such account. The
 * folder and everything in it is given to that user.
 */
#define HOUSE_USER "trickhouse"
#define HOUSE_USER_LAST "nobody"

/*
 * Makes the folder if it is missing, gives it to the user, and becomes that user. Everything after
 * that runs without root's rights, but keeps the right to listen on ports below 1024 if
 * `needs_low_port`. Does nothing if the caller is not root. `name` NULL or "" names nobody. Returns
 * false after printing one line if there is no such user or the user cannot reach the folder.
 */
bool house_user_become(const char *name, const char *data_dir, bool needs_low_port) MUST_CHECK;
