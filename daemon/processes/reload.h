#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct processes;
struct data_dir;
struct log_writer;
struct supervisor_setup;

/*
 * Reloads the house: the supervisor executes its program again, or a newer one installed at the
 * same path. The arguments are the same as before (`serve` and its options), and `--resume N`,
 * where N is the descriptor of the supervisor's image. Before that, the supervisor runs the program
 * with `--check`, so that bad settings do not end a running house. Returns only if nothing has
 * changed; the reason is then on the log.
 */
void reload_run(const struct supervisor_setup *setup, const struct data_dir *dir,
                const struct processes *processes, const struct log_writer *log);

/* The contents of a supervisor's image. */
struct reload_image {
    int lock;
    json_t *processes; /* the running processes (processes_image.h), a new reference */
    int log_input;     /* pipe of the process that writes the log (log_writer.h); -1: none */
    int log_stream;    /* the house's first standard error, if that was the journal; -1 if not */
    pid_t log_pid;
};

/* Reads the image after the exec. Returns false if the file does not contain an image. */
bool reload_read_image(int image_fd, struct reload_image *contents) MUST_CHECK;
