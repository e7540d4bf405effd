#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* What the gate hears from its sessions, and their ends. */
struct gate;
struct sessions_entry;

/* Watches the log of every session, and its sign-in until somebody has signed in. Returns false
 * with a line on the log. */
bool gate_watch_sessions(const struct gate *gate) MUST_CHECK;

/* Handles the sign-in of a session, or its end before that. */
void gate_hear_session(struct gate *gate, struct sessions_entry *entry);

/* Kills the processes of sessions that the house has ended and that still run after their time.
 * Returns how long until the next is due, in ms; -1: none is. */
int64_t gate_end_overdue(struct gate *gate, int64_t now_ms);

/* Reaps dead sessions, and records the penalties of their addresses. */
void gate_reap(struct gate *gate);
