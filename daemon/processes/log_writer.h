#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The process that writes house.log. All other processes write to one pipe, their standard error.
 * Only this process has the file open, so it can rename the file when it grows too long: house.log
 * becomes house.log.1, the earlier house.log.1 becomes house.log.2, and so on.
 */
struct log_writer_setup {
    const char *path;
    uint64_t most_bytes; /* size in bytes at which the file is renamed */
    unsigned keep;       /* how many renamed files are kept, 1 or more */
    int input;           /* the reading end of the pipe */
};

/* Writes the log until SIGTERM arrives, then writes the lines that have arrived so far and ends.
 * Also ends once no process has the pipe open for writing. Gets SIGTERM when its parent dies.
 * Returns the exit status: 1, with a line on standard error, if the file cannot be written. */
int log_writer_run(const struct log_writer_setup *setup);

/* What the supervisor knows of the process that writes the log. */
struct log_writer {
    struct log_writer_setup setup;
    pid_t pid; /* process id; 0: not running */
};

/* Makes the pipe, whose writing end becomes the standard error of this process and its children,
 * and starts the process. Ignores `setup.input`. The path is borrowed. Returns false with errno. */
bool log_writer_begin(struct log_writer *writer, const struct log_writer_setup *setup) MUST_CHECK;

/* Continues after the supervisor has executed its program again: keeps the pipe and replaces the
 * running process. The new process writes the lines that the old one has not written. */
bool log_writer_resume(struct log_writer *writer, const struct log_writer_setup *setup,
                       pid_t old_pid) MUST_CHECK;

/* Starts the process again if it has died. Call this when a child process has died. */
void log_writer_restart_if_dead(struct log_writer *writer);

/* Lets the process write all lines that have arrived, and waits until it ends. After that nothing
 * written to standard error arrives anywhere. */
void log_writer_end(struct log_writer *writer);
