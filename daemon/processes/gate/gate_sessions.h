#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* Learns from each session when somebody has signed in, and handles the ends of the sessions'
 * processes. */
struct gate;
struct sessions_entry;

/* Watches the pipes of the session and the end of its process. Returns false with a line on the
 * log. */
bool gate_watch_session(struct gate *gate, struct sessions_entry *session);

/* Watches every session. Returns false with a line on the log. */
bool gate_watch_sessions(struct gate *gate) MUST_CHECK;

/* Reads whether the session's process has separated its descriptors, or somebody has signed in to
 * the session. End of file means that nobody will sign in. */
void gate_read_sign_in(struct gate *gate, struct sessions_entry *session);

/* Kills the processes of sessions that the house has ended and that have not exited in time.
 * Returns the time until the next process must be killed, in ms; -1 if no process must be
 * killed. */
int64_t gate_kill_overdue_sessions(struct gate *gate, int64_t now_ms);

/* Reaps the processes of sessions that have exited, and gives penalties to the addresses of clients
 * that misbehaved. */
void gate_reap_sessions(struct gate *gate);
