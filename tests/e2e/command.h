#ifndef TESTS_E2E_COMMAND_H
#define TESTS_E2E_COMMAND_H

#include "tests/e2e/house.h"

/* A program without a terminal: nothing to read, what it says is kept. */
struct command_result {
    int status;      /* as an exit status, or 128 + signal */
    char said[8192]; /* both outputs as they came, returns taken out */
};

/* Runs argv (NULL-ended, argv[0] found in PATH) in the house's folder, which is its HOME too, until
 * it has ended and its outputs are closed. Fails the test when that takes longer than
 * TERMINAL_DEADLINE_MS. */
void command_run(const struct house_fixture *house, const char *const *argv,
                 struct command_result *result);

/* How many of the lines said are not empty. */
int command_lines(const struct command_result *result);

/* Fails, and shows what was said, unless it ended with the status and said the words. */
void command_expect(const struct command_result *result, int status, const char *words);

#endif
