#pragma once

#include "games/macros.h"

#include <stdbool.h>

/* Starts the processes of sessions. */
struct gate;
struct gate_client;
struct sessions_entry;

/* Makes the session's sockets and starts its process. Fills in the session's process id and
 * descriptors, and takes over the client's socket. Returns false with errno; then the caller keeps
 * the socket. */
bool gate_fork_session(const struct gate *gate, const struct gate_client *client,
                       struct sessions_entry *session) MUST_CHECK;

/* Moves the descriptors of all sessions above those that a new session's process copies
 * (separation.h). An older program may have given them lower numbers. */
void gate_fork_move_descriptors(struct gate *gate);
