#pragma once

#include <sys/types.h>

/*
 * A core in a process of its own. It knows one account, "mira", with the password "correct horse";
 * the name "taken" belongs to somebody else. Every key is unknown, except under the name "mira".
 */

/* Starts the core. `gate_end` is the core's end of the gate's socket pair; the caller keeps it. A
 * core that `is_restarted` begins with resync, as one that inherits its sockets does. It writes a
 * line to log_fd for every message: "gate hello", "7 sign_in", "gate connection, signed in". */
pid_t fake_core_start(int gate_end, int log_fd, int is_restarted);
