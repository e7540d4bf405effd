#pragma once

#include "tests/daemon/fixtures/folder_fixture.h"

#include <stddef.h>

/* Runs the real program (environment TRICKHOUSE) to its end and keeps its output. */

struct program_run {
    int status; /* exit status, or 128 + the signal that killed it */
    char *out;  /* NUL-terminated; program_clear frees both */
    size_t out_len;
    char *err;
    size_t err_len;
};

/* Redirections of the program. */
struct program_setup {
    const char *input; /* standard input; NULL: empty */
    size_t input_len;
    int out_fd; /* replaces `out` as standard output; 0: `out`; -1: closed */
};

/* args ends with NULL and does not contain the program's name; setup may be NULL. Fails the test if
 * the program cannot be run or takes more than a minute. */
struct program_run program_run(const char *const *args, const struct program_setup *setup);
void program_clear(struct program_run *run);

/* Checks that the arguments are refused as wrong usage: status 2, one line on standard error that
 * contains these words, and no output. */
void program_refused(const char *const *args, const char *words);

/* For set-up and tear-down: make a folder, in which the data folder of a house is not made yet;
 * close that house if one is open, and remove everything. Return 0, or -1. */
int program_data_make(char folder[FOLDER_PATH_MAX], char data[FOLDER_PATH_MAX]);
int program_data_remove(const char *folder, const char *data);

/* Makes a new file of these bytes; the caller unlinks it and frees the path. */
char *program_file(const char *bytes, size_t len);
