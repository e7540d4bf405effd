#ifndef DAEMON_CLI_OUTPUT_H
#define DAEMON_CLI_OUTPUT_H

#include "daemon/cli/subcommand.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Standard output for much text: buffered in large pieces, and no failed write goes unseen. After
 * the first failure nothing more is written.
 */
struct output {
    int error; /* errno of the first failed write, 0 */
};

/* Also keeps a closed pipe from ending the process without a word. */
struct output output_begin(void);

void output_put(struct output *output, const char *bytes, size_t len);

/* A whole line, newline included, that someone may be waiting for: leaves at once. */
void output_line(struct output *output, const char *line);

/* Flushes and returns the exit status: 0, or 1 after a line that says what failed. */
int output_end(struct output *output, const struct subcommand *self);

#endif
