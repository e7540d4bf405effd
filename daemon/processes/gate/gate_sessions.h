#ifndef DAEMON_PROCESSES_GATE_GATE_SESSIONS_H
#define DAEMON_PROCESSES_GATE_GATE_SESSIONS_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* What the gate hears from its sessions, and their ends. */
struct gate;
struct sessions_entry;

/* Watches every session: its log, and until somebody has signed in, that too. False with a line on
 * the log. */
bool gate_watch_sessions(const struct gate *gate) MUST_CHECK;

/* Reads that somebody has signed in to a session, or that it has ended before. */
void gate_hear_session(struct gate *gate, struct sessions_entry *entry);

/* Kills the processes of sessions that the house has ended and that are still running. Returns how
 * long until the next one is due, in ms; -1: none is. */
int64_t gate_end_overdue(struct gate *gate, int64_t now_ms);

/* Reaps the processes of sessions that have died, and notes the penalties of their addresses. */
void gate_reap(struct gate *gate);

#endif
