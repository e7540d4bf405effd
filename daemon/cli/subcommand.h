#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * A subcommand of the program: a const struct at the end of its file and a line in subcommands.def,
 * from which dispatch and `trickhouse --help` come.
 */
struct subcommand {
    const char *name;
    const char *args; /* "GAME --players N [--games M]" */
    const char *help; /* one line for the list of subcommands */
    const char *more; /* the rest of `trickhouse help NAME`: options, one per line; or NULL */

    bool is_internal; /* not meant for people: the list leaves it out */

    /* argv[0] is the subcommand's name; NULL follows the last. Returns the exit status: 0 for
     * success, 1 if it failed and said why, 2 for wrong usage (one line on standard error,
     * beginning "trickhouse NAME: "). */
    int (*run)(char **argv);
};

/* Declares all of them, since a subcommand names itself in its messages. */
#define SUBCOMMAND(name) extern const struct subcommand name;
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND

/* Prints "trickhouse NAME: ", the message and a newline to standard error; returns 2, so that a
 * subcommand can `return subcommand_usage(...)`. */
int subcommand_usage(const struct subcommand *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns NULL if there is none with that name. */
const struct subcommand *subcommand_find(const char *name);

/* Returns a subcommand by its place in subcommands.def; NULL after the last. */
const struct subcommand *subcommand_at(size_t index);
