#ifndef TESTS_DAEMON_PROCESSES_FAKE_CORE_H
#define TESTS_DAEMON_PROCESSES_FAKE_CORE_H

#include <sys/types.h>

/*
 * A core in a process of its own that knows one account, "mira", with the password "correct horse";
 * the name "taken" is somebody else's. Any key is new, but for the name "mira" it is known.
 */

/* `gate_end` is the core's end of the gate's socket; it stays the caller's. A core that is
 * `restarted` begins with resync, as one that inherits its sockets does. For every message that it
 * gets one line goes to log_fd: "gate hello", "7 sign_in", "gate connection, signed in". */
pid_t fake_core_start(int gate_end, int log_fd, int is_restarted);

#endif
