#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * A house that root opens runs as another user: the named one; otherwise the owner of the folder;
 * otherwise, for a new folder, "trickhouse", or "nobody" if there is no such account. The folder
 * and everything in it is given to that user.
 */
#define HOUSE_USER "trickhouse"
#define HOUSE_USER_LAST "nobody"

/*
 * Does nothing unless the caller is root. Makes the folder if it is missing, gives it to the user,
 * and becomes that user, without root's rights; with `needs_low_port` the process keeps the right
 * to listen on ports below 1024. `user_name` may be NULL or "". Returns false, after printing an
 * error, if there is no such user or the user cannot reach the folder.
 */
bool house_user_switch_to(const char *user_name, const char *data_dir,
                          bool needs_low_port) MUST_CHECK;
