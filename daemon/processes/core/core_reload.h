#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The check before a reload: a separate process runs `serve … --check` with the new program, which
 * is the file that is now at the path of the running one. It tries what the reload needs
 * (daemon/cli/serve_check.h). The core runs the check so that the person who asked for the reload
 * learns of errors at once. The supervisor runs it again, for people who signal it directly.
 */
struct core_reload {
    const char
        *program; /* path of the program, borrowed; NULL: reloads are not checked beforehand */
    const char *const
        *args; /* arguments of the program, beginning with `serve` and ended by NULL; borrowed */
    pid_t checker;      /* process id of the check; 0: none is running */
    int said;           /* file in memory with the output of the check */
    int64_t started_ms; /* when the check was started, monotonic */
};

#define CORE_RELOAD_WHY_MAX 1024

/* A check that takes longer is ended, and counts as failed. Below the time for which `trickhouse
 * reload` waits. */
#define CORE_RELOAD_CHECK_MS 8000

/* Starts the check unless it is running. Returns false with the reason in `why`. */
bool core_reload_start_check(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX]) MUST_CHECK;

enum core_reload_result {
    CORE_RELOAD_NONE = 0, /* the check is still running */
    CORE_RELOAD_GOOD,
    CORE_RELOAD_REFUSED, /* the check has failed; `why` lists the reasons, one per line, in UTF-8 */
};

/* Call this when a child process has ended. Returns the result of the check. */
enum core_reload_result core_reload_finish_check(struct core_reload *reload,
                                                 char why[CORE_RELOAD_WHY_MAX]);

/* Runs a whole check, and waits for its end. Returns false with the reasons in `why`. */
bool core_reload_check(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX]) MUST_CHECK;

/* Stops a running check and ignores its result. */
void core_reload_stop_check(struct core_reload *reload);
