#ifndef DAEMON_CLI_SUBCOMMAND_H
#define DAEMON_CLI_SUBCOMMAND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A subcommand of the one binary: a const struct at the end of its file and a line in
 * subcommands.def, which drive dispatch and `trickhouse --help`.
 */
struct subcommand {
    const char *name;
    const char *args; /* "GAME --players N [--games M]" */
    const char *help; /* one line for the list */
    const char *more; /* the rest of `trickhouse help NAME`: options, one a line; or NULL */

    bool is_internal; /* not for people: the list leaves it out */

    /* argv[0] is the subcommand's name. Returns the exit status: 0 done, 1 it says what failed,
     * 2 wrong usage (one clear line on standard error, beginning "trickhouse NAME: "). */
    int (*run)(int argc, char **argv);
};

/* All of them: a subcommand names itself in its messages. */
#define SUBCOMMAND(name) extern const struct subcommand name;
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND

/* Prints "trickhouse NAME: " and the message with a newline to standard error; returns 2, so that
 * a subcommand can `return subcommand_usage(...)`. */
int subcommand_usage(const struct subcommand *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* NULL when there is none of that name. */
const struct subcommand *subcommand_find(const char *name);

/* In the order of subcommands.def; NULL past the last one. */
const struct subcommand *subcommand_at(size_t index);

#endif
