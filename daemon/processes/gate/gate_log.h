#ifndef DAEMON_PROCESSES_GATE_GATE_LOG_H
#define DAEMON_PROCESSES_GATE_GATE_LOG_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What sessions say on the log. A session is not trusted with the house's own log: it would share
 * the open file, and could rewind it. Each writes into a pipe of its own; the gate reads its lines,
 * looks through them, and writes them on. Each write is one packet of that pipe (pipe(2),
 * O_DIRECT), so no line is ever in pieces.
 *
 * What is no line of a session's is kept too, as a quoted text: a library's last words, mostly.
 */
struct gate;
struct sessions_entry;

enum {
    GATE_LOG_BURST = 16,     /* lines of one session that are written at once */
    GATE_LOG_EVERY_MS = 5000 /* beyond them one each so often; the rest waits, or is lost */
};

/* The pipe of a new session: its reading end, then the end it writes to. False with errno. */
bool gate_log_open(int ends[2]) MUST_CHECK;

/* Watches the pipe of a session, if there is one. False with a line on the log. */
bool gate_log_watch(const struct gate *gate, const struct sessions_entry *entry);

/* Writes on what the session has said. */
void gate_log_hear(struct gate *gate, struct sessions_entry *entry);

/* The session is gone: writes on the rest. */
void gate_log_end(struct gate *gate, struct sessions_entry *entry);

/* Listens again to those who had said too much. How long until the next one is due, in ms; -1: none
 * is. */
int64_t gate_log_resume(struct gate *gate, int64_t now_ms);

#endif
