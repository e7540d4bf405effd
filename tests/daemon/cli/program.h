#ifndef TESTS_DAEMON_CLI_PROGRAM_H
#define TESTS_DAEMON_CLI_PROGRAM_H

#include "tests/daemon/fixtures/folder_fixture.h"

#include <stddef.h>

/* Runs the real binary (environment TRICKHOUSE) to its end and keeps what it wrote. */

struct program_run {
    int status; /* exit status, or 128 + the signal that ended it */
    char *out;  /* NUL-ended; as the others freed by program_clear */
    size_t out_len;
    char *err;
    size_t err_len;
};

/* What stands between the program and the outside besides its arguments. */
struct program_setup {
    const char *input; /* standard input, NULL: empty */
    size_t input_len;
    int out_fd; /* where standard output goes instead of into `out`; 0: nowhere else; -1: closed */
};

/* args ends with NULL and leaves out the program's name; setup may be NULL. Fails the test when
 * the program cannot be run or takes more than a minute. */
struct program_run program_run(const char *const *args, const struct program_setup *setup);
void program_clear(struct program_run *run);

/* Checks that the arguments are refused as wrong usage: status 2, one line on standard error that
 * has these words, nothing on standard output. */
void program_refused(const char *const *args, const char *words);

/* For set-up and tear-down: a folder for the data of a house, not made yet, within another that is;
 * and closing that house, if one is open, and removing all. 0, or -1. */
int program_data_make(char folder[FOLDER_PATH_MAX], char data[FOLDER_PATH_MAX]);
int program_data_remove(const char *folder, const char *data);

/* A file of these bytes in a fresh place; free the path after unlinking it. */
char *program_file(const char *bytes, size_t len);

#endif
