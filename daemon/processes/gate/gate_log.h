#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The log lines of sessions. A session must not have the house's log file open, since the session
 * could rewind the file and overwrite it. Each session writes to a pipe of its own; the gate reads,
 * checks and logs its lines. Each write is one packet of the pipe (pipe(2), O_DIRECT), so lines are
 * never split. Text that is not a valid line is logged too, in quotes: usually what a library
 * prints before it aborts.
 */
struct gate;
struct sessions_entry;

enum {
    GATE_LOG_BURST = 16,     /* lines that one session may log at once */
    GATE_LOG_EVERY_MS = 5000 /* after GATE_LOG_BURST lines, one line may be logged in this time;
                                further lines wait or are lost */
};

/* Makes the pipe of a new session. The first end is for reading, the second for writing. Returns
 * false with errno. */
bool gate_log_make_pipe(int ends[2]) MUST_CHECK;

/* Watches the log pipe of a session, if the session has one. Returns false with a line on the
 * log. */
bool gate_log_watch(const struct gate *gate, const struct sessions_entry *session);

/* Logs the lines that have arrived from the session. */
void gate_log_relay_lines(struct gate *gate, struct sessions_entry *session);

/* Logs the remaining lines of a session that has ended. */
void gate_log_relay_last_lines(struct gate *gate, struct sessions_entry *session);

/* Reads again from the logs whose pause is over. Returns the time until the next pause ends, in ms;
 * -1 if no log is paused. */
int64_t gate_log_resume_paused(struct gate *gate, int64_t now_ms);
