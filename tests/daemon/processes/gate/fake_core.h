#pragma once

#include <sys/types.h>

/*
 * A core in a process of its own. It knows one account, "mira", with the password "correct horse".
 * The name "taken" belongs to somebody else. The core knows no key, but accepts every key under the
 * name "mira".
 */

/* Starts the core. `core_end` is the core's end of the gate's socket pair; the caller keeps it. If
 * `is_restarted`, the core begins by sending `resync`, as a core with inherited sockets does. For
 * every message that it receives, the core writes a line to log_fd, such as "gate hello", "7
 * sign_in" or "gate connection, signed in". */
pid_t fake_core_start(int core_end, int log_fd, int is_restarted);
