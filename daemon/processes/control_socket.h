#ifndef DAEMON_PROCESSES_CONTROL_SOCKET_H
#define DAEMON_PROCESSES_CONTROL_SOCKET_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * `control` in the folder of a house's data: where programs of whoever owns the data speak the
 * protocol with the core, as operators. It is the supervisor's, so that it outlives a core.
 */

/* A listening socket there, for its owner alone; one that was left behind is replaced. The
 * caller must hold the folder's lock. -1 with errno. */
int control_socket_listen(const char *data_dir) MUST_CHECK;

/* A connected one, which blocks; -1 with errno (ENOENT, ECONNREFUSED: no house is open there). */
int control_socket_connect(const char *data_dir) MUST_CHECK;

#endif
