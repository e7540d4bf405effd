#ifndef DAEMON_PROCESSES_RELOAD_H
#define DAEMON_PROCESSES_RELOAD_H

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct crew;
struct data_dir;
struct log_writer;
struct supervisor_setup;

/*
 * The supervisor's exec of its program, or of a newer one in its place: `serve` with the same
 * arguments and `--resume N`, N the descriptor of its image. First the program is run with
 * `--check`, so that what could not open a house does not end one. Returns only when nothing has
 * changed, with the reason on the log.
 */
void reload_run(const struct supervisor_setup *setup, const struct data_dir *dir,
                const struct crew *crew, const struct log_writer *log);

/* What the image holds. */
struct reload_image {
    int lock;
    json_t *crew;  /* the crew's part (crew_image.h), a new reference */
    int log_input; /* of the process that writes the log (log_writer.h); -1: there is none, or the
                      program before was an older one */
    pid_t log_pid;
};

/* After the exec. False when it is none. */
bool reload_read(int image, struct reload_image *read) MUST_CHECK;

#endif
