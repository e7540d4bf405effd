#ifndef DAEMON_PROCESSES_LOG_WRITER_H
#define DAEMON_PROCESSES_LOG_WRITER_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The process that writes house.log. All others write their lines into one pipe, their standard
 * error; this one alone has the file, and so can put it aside when it grows too long: house.log
 * becomes house.log.1, that house.log.2, and so on.
 */
struct log_writer_setup {
    const char *path;
    uint64_t most_bytes; /* the file is put aside once it has so many */
    unsigned keep;       /* so many of those put aside are kept; from 1 on */
    int input;           /* the pipe's reading end */
};

/* Until SIGTERM, when it writes what has come so far, or until nobody can write into the pipe any
 * more. The end of its parent is SIGTERM to it. Returns the exit status: 1 when there is no such
 * file to be written, said on standard error. */
int log_writer_run(const struct log_writer_setup *setup);

/* What a supervisor has of it. */
struct log_writer {
    struct log_writer_setup setup;
    pid_t pid; /* 0: there is none */
};

/* Makes the pipe, whose other end becomes this process's standard error and so that of all it
 * forks, and starts the process; `setup.input` is not looked at. The path is borrowed. False with
 * errno. */
bool log_writer_begin(struct log_writer *writer, const struct log_writer_setup *setup) MUST_CHECK;

/* The same after an exec: with the pipe that there is, and in the place of the process that there
 * is. What it has not written yet waits for the new one. */
bool log_writer_resume(struct log_writer *writer, const struct log_writer_setup *setup,
                       pid_t pid) MUST_CHECK;

/* Starts it again if it has died: call when some child has. */
void log_writer_check(struct log_writer *writer);

/* Lets it write all that has come, and waits for its end; standard error leads nowhere then. */
void log_writer_end(struct log_writer *writer);

#endif
