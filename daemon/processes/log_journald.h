#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Sends lines of the log to systemd's journal as structured entries, in the journal's native
 * protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/). The entry of a line has these fields:
 *
 *     MESSAGE=core info conn=812 event=sign-in method=key account=mira
 *     PRIORITY=6
 *     SYSLOG_IDENTIFIER=trickhouse
 *     TRICKHOUSE_PROCESS=core
 *     TRICKHOUSE_CONN=812             only if the line concerns a connection
 *     TRICKHOUSE_EVENT=sign-in
 *     TRICKHOUSE_METHOD=key           and so on for each key
 *     TRICKHOUSE_ACCOUNT=mira
 *
 * Values stay escaped as they are in the line (log.h). Text that is not a line of the log, such as
 * the last words of a library, becomes a warning that has only the first three fields.
 */
struct log_journald {
    const char *path; /* the journal's socket, borrowed; the socket is connected again if need be */
    int socket;       /* log_journald_connect */
    int stream;       /* the standard error that systemd has opened for the house, a socket to the
                         journal too. It gets the lines that `socket` does not take. */
    bool is_full;     /* the journal took no line in LOG_JOURNALD_WAIT_MS, and none since */
    unsigned lost;    /* lines that were lost since the last line that arrived */
};

#define LOG_JOURNALD_SOCKET "/run/systemd/journal/socket"

enum {
    /* A line waits this long for a journal that reads nothing. Later lines do not wait. */
    LOG_JOURNALD_WAIT_MS = 1000,
};

/* True if standard error is a stream of the journal: systemd names the stream that it has opened
 * for a service in JOURNAL_STREAM (systemd.exec(5)). */
bool log_journald_is_stderr(void);

/* Makes a socket that is connected to the journal's socket `path`. Returns -1 with errno. */
int log_journald_connect(const char *path) MUST_CHECK;

/* Sends a line of the log, with or without its newline. Never waits longer than
 * LOG_JOURNALD_WAIT_MS. Lines that the journal does not take are lost and counted; the next line
 * that it takes follows a line `event=lost` with their number. */
void log_journald_write_line(struct log_journald *journald, const char *line, size_t len);
