#pragma once

#include "tests/e2e/house.h"

/* Runs a program without a terminal or input and keeps its output. */
struct command_result {
    int status; /* the exit status, or 128 + signal */
    char
        said[8192]; /* standard output and error in the order they came, without carriage returns */
};

/* Runs argv (NULL-ended, argv[0] found in PATH) in the house's folder, which is also its HOME,
 * until the program has ended and closed its outputs. Fails the test when that takes longer than
 * TERMINAL_DEADLINE_MS. */
void command_run(const struct house_fixture *house, const char *const *argv,
                 struct command_result *result);

/* Returns the number of output lines that are not empty. */
int command_count_lines(const struct command_result *result);

/* Fails the test and prints the output, unless the program ended with this status and printed the
 * words. */
void command_assert_result(const struct command_result *result, int status, const char *words);

/* Starts argv (NULL-ended, argv[0] found in PATH) in the house's folder, which is also its HOME,
 * with TERM=term unless `term` is NULL, with these descriptors as its input and outputs. */
pid_t command_start(const struct house_fixture *house, const char *const *argv, const char *term,
                    int input, int output);
