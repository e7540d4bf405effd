#pragma once

#include "games/macros.h"

#include <sys/types.h>

/*
 * The socket `control` in the data folder. Programs that the data's owner runs connect through it
 * to the core, as operators. The socket belongs to the supervisor, so that it outlives a core.
 */

/* Makes the listening socket, for its owner only, and replaces an old socket that was left behind.
 * The caller must hold the folder's lock. Returns -1 with errno. */
int control_socket_listen(const char *data_dir) MUST_CHECK;

/* Connects to the socket; the returned descriptor blocks. Returns -1 with errno (ENOENT or
 * ECONNREFUSED: no house is open with this data). */
int control_socket_connect(const char *data_dir) MUST_CHECK;

/* Returns the process id of the supervisor that listens at the socket, as this process has to name
 * it; 0 if it is in another PID namespace, such as a container's, where this process cannot name
 * it; -1 with errno as from control_socket_connect. The number in the file `lock` is the
 * supervisor's own, which stands for another process in another namespace. */
pid_t control_socket_find_supervisor(const char *data_dir) MUST_CHECK;
