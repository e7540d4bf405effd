#pragma once

#include "daemon/cli/subcommand.h"

#include <stddef.h>

/*
 * Writes much text to standard output: buffered in large pieces, and with every failed write
 * noticed. After the first failure nothing more is written.
 */
struct output {
    int error; /* errno of the first failed write; 0: none */
};

/* Makes a closed pipe an error instead of a signal that ends the process. */
struct output output_begin(void);

void output_put(struct output *output, const char *bytes, size_t len);

/* Writes a line, newline included, and flushes it, since somebody may be waiting for it. */
void output_line(struct output *output, const char *line);

/* Flushes and returns the exit status: 0, or 1 after printing why it failed. */
int output_end(struct output *output, const struct subcommand *self);
