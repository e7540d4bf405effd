#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The file house.log. When it grows too long, it is renamed: house.log becomes house.log.1, the
 * earlier house.log.1 becomes house.log.2, and so on.
 */
struct log_file {
    const char *path;    /* borrowed */
    uint64_t most_bytes; /* size in bytes at which the file is renamed */
    unsigned keep;       /* how many renamed files are kept, 1 or more */
    int file;            /* descriptor; -1: not open */
    uint64_t size;
};

/* Opens the file, which is made if missing, and makes it the standard error of this process too.
 * Returns false with errno. */
bool log_file_open(struct log_file *log) MUST_CHECK;

/* Writes a line, with its newline; opens the file if it is not open. If that fails, there is
 * nowhere to report it: the line is lost, and the house continues. */
void log_file_write_line(struct log_file *log, const char *line, size_t len);

/* Closes the file; standard error stays open. */
void log_file_close(struct log_file *log);
