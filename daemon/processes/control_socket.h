#pragma once

#include "games/macros.h"

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
