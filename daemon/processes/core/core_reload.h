#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The check before a reload: a separate process runs `serve … --check` of the program that is now
 * in the place of the house's own, so that the person who asked learns of errors at once. The
 * supervisor checks again, for people who send it SIGUSR1 directly.
 */
struct core_reload {
    const char *program;     /* borrowed, as the next; NULL: no check */
    const char *const *args; /* `serve` and so on, ended by NULL */
    pid_t checker;           /* 0: none is running */
    int said;                /* reads its output */
};

#define CORE_RELOAD_WHY_MAX 1024

/* Starts the check unless it is running. Returns false with errno. */
bool core_reload_begin(struct core_reload *reload) MUST_CHECK;

enum core_reload_result {
    CORE_RELOAD_NONE = 0, /* the check is still running */
    CORE_RELOAD_GOOD,
    CORE_RELOAD_REFUSED, /* `why` says what is wrong, in lines */
};

/* Call it when a child has ended. */
enum core_reload_result core_reload_end(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX]);

/* Abandons the check. */
void core_reload_clear(struct core_reload *reload);
