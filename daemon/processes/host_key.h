#ifndef DAEMON_PROCESSES_HOST_KEY_H
#define DAEMON_PROCESSES_HOST_KEY_H

#include "games/macros.h"

#include <stdbool.h>

/* Makes an ed25519 key in OpenSSH's format at `path`, readable by its owner alone, unless there is
 * a file already. False when that fails, said on the log. */
bool host_key_ensure(const char *path) MUST_CHECK;

#endif
