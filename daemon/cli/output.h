#pragma once

#include "daemon/cli/subcommand.h"

/*
 * Writes much text to standard output through a large buffer, and notices every failed write. After
 * the first failure nothing more is written.
 */
struct output {
    int error; /* errno of the first failed write; 0: none */
};

/* Starts writing. A closed pipe becomes an error instead of a signal that ends the process. */
struct output output_begin(void);

void output_write(struct output *output, const char *bytes, size_t len);

/* Writes a line, which ends with a newline, and flushes it, since somebody may be waiting for
 * it. */
void output_write_line(struct output *output, const char *line);

/* Flushes the output. Returns the exit status: 0, or 1 after printing why writing failed. */
int output_end(struct output *output, const struct subcommand *self);
