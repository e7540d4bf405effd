#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * A subcommand of the program: a const struct at the end of its file and a line in subcommands.def.
 * The program can run the subcommands of that list, and `trickhouse --help` prints the list.
 */
struct subcommand {
    const char *name;
    const char *args; /* syntax of the arguments: "GAME --players N [--games M]" */
    const char *help; /* one-line description in the list of subcommands */
    const char *more; /* the rest of `trickhouse help NAME`: options, one per line; or NULL */
    void (*print_lists)(void); /* prints what `more` refers to, such as a list of words; or NULL */

    bool is_internal; /* the subcommand is not meant for people, and --help omits it */

    /* Runs the subcommand. argv[0] is its name; the words end with NULL. Returns the exit status: 0
     * for success, 1 after printing why it failed, 2 after printing one line about wrong usage. */
    int (*run)(char **argv);
};

/* declares the struct of every subcommand: a subcommand passes its own struct to the functions
 * below, which print its name */
#define SUBCOMMAND(name) extern const struct subcommand name;
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND

/* Prints "trickhouse NAME: ", the message and a newline on standard error. Returns 2, for callers
 * to return. */
int subcommand_report_wrong_usage(const struct subcommand *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "trickhouse NAME: WHAT: WHY" on standard error. Returns 1, for callers to return. */
int subcommand_fail(const struct subcommand *self, const char *what, const char *why);

/* Finds a subcommand by its name; returns NULL if no subcommand has it. */
const struct subcommand *subcommand_find(const char *name);

/* Returns a subcommand by its place in subcommands.def; NULL after the last. */
const struct subcommand *subcommand_at(size_t index);
