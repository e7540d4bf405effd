#pragma once

#include "tests/daemon/fixtures/folder_fixture.h"

#include <stddef.h>

/* Runs the real program, whose path is in the environment variable TRICKHOUSE, to its end and keeps
 * its output. */

struct program_run {
    int status; /* exit status, or 128 + the signal that killed the program */
    char *out;  /* standard output, NUL-terminated; program_clear frees `out` and `err` */
    size_t out_len;
    char *err;
    size_t err_len;
};

/* Where the program's input comes from and its output goes. */
struct program_setup {
    const char *input; /* contents of standard input; NULL: empty */
    size_t input_len;
    int out_fd; /* descriptor to use as standard output; 0: the output is kept; -1: closed */
};

/* Returns the number in the row of output that begins with these words. */
double program_read_row(const char *out, const char *words);

/* Runs the program. `args` ends with NULL and does not contain the program's name; `setup` may be
 * NULL. Fails the test if the program cannot be run or takes more than a minute. */
struct program_run program_run(const char *const *args, const struct program_setup *setup);
void program_clear(struct program_run *run);

/* Checks that the arguments are refused as wrong usage: status 2, one line on standard error that
 * contains these words, and no output. */
void program_expect_usage_error(const char *const *args, const char *words);

/* Set-up and tear-down of tests that need a data folder. program_make_data_folder makes a folder,
 * and writes into `data` the path of a data folder in it, which does not exist yet.
 * program_remove_data_folder closes the house if it is open, and removes everything. Both return 0,
 * or -1. */
int program_make_data_folder(char folder[FOLDER_PATH_MAX], char data[FOLDER_PATH_MAX]);
int program_remove_data_folder(const char *folder, const char *data);

/* Makes a new file with these bytes. The caller unlinks it and frees the path. */
char *program_make_file(const char *bytes, size_t len);
