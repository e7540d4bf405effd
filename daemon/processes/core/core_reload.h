#ifndef DAEMON_PROCESSES_CORE_CORE_RELOAD_H
#define DAEMON_PROCESSES_CORE_CORE_RELOAD_H

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The look before a reload: `serve … --check` of the program that is now where the house's own is,
 * in a process of its own. So whoever asked hears at once what is wrong. The supervisor looks
 * again, for those who send it SIGUSR1 themselves.
 */
struct core_reload {
    const char *program;     /* borrowed, as the next; NULL: nothing can be looked at */
    const char *const *args; /* `serve` and so on, ended by NULL */
    pid_t checker;           /* 0: none runs */
    int said;                /* what it says */
};

#define CORE_RELOAD_WHY_MAX 1024

/* Starts looking, if it is not done already. False with errno. */
bool core_reload_begin(struct core_reload *reload) MUST_CHECK;

enum core_reload_result {
    CORE_RELOAD_NONE = 0, /* it is not done looking */
    CORE_RELOAD_GOOD,
    CORE_RELOAD_REFUSED, /* `why` says what is wrong, in lines */
};

/* Call when some child has ended. */
enum core_reload_result core_reload_end(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX]);

/* Gives up looking. */
void core_reload_clear(struct core_reload *reload);

#endif
