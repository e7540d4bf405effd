#pragma once

#include "games/macros.h"

#include <stdbool.h>

/* Makes an ed25519 key in OpenSSH's format at `path`, readable by its owner only, unless the file
 * exists. Returns false, with a line on the log, if that fails. */
bool host_key_make_if_missing(const char *path) MUST_CHECK;
