#pragma once

#include "daemon/metrics/metrics.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The process that writes the log: to house.log (log_file.h) or to systemd's journal
 * (log_journald.h). All other processes write to one pipe, their standard error.
 */
struct log_writer_setup {
    const char *path;    /* of house.log, borrowed; NULL: the log goes to the journal */
    uint64_t most_bytes; /* size in bytes at which house.log is renamed */
    unsigned keep;       /* how many renamed files are kept, 1 or more */
    int input;           /* the reading end of the pipe */
    int journal;         /* socket to the journal (log_journald_connect); -1: none */
    int stream; /* the house's former standard error, if that was the journal; -1: it was not */
    struct metrics metrics; /* metrics of the supervisor, which note each start and death of the
                               process (life.h) */
};

/* Writes the log until SIGTERM arrives, then writes the lines that have arrived so far and ends.
 * Also ends once no process has the pipe open for writing. Gets SIGTERM when its parent dies.
 * Lines are lost while house.log cannot be opened. Returns the exit status: 1, with a line on
 * standard error, if it cannot work. */
int log_writer_run(const struct log_writer_setup *setup);

/* What the supervisor knows of the process that writes the log. */
struct log_writer {
    struct log_writer_setup setup;
    pid_t pid; /* process id; 0: not running */
};

/* Makes the pipe, whose writing end becomes the standard error of this process and its children,
 * and starts the process. Ignores `setup.input` and `setup.stream`; takes over `setup.journal`.
 * Returns false with errno; then standard error is as before. */
bool log_writer_begin(struct log_writer *writer, const struct log_writer_setup *setup) MUST_CHECK;

/* Continues after the supervisor has executed its program again: keeps the pipe and replaces the
 * running process. The new process writes the lines that the old one has not written. Takes over
 * the descriptors of the setup. Returns false with errno; then standard error is the journal's
 * stream again, if there is one. */
bool log_writer_resume(struct log_writer *writer, const struct log_writer_setup *setup,
                       pid_t old_pid) MUST_CHECK;

/* Starts the process again if it has died. Call this when a child process has died. */
void log_writer_restart_if_dead(struct log_writer *writer);

/* Lets the process write all lines that have arrived, and waits until it ends. After that, standard
 * error is the journal's stream again; if the log went to house.log, nothing written to standard
 * error arrives anywhere. */
void log_writer_end(struct log_writer *writer);
