#pragma once

#include "games/macros.h"

#include <linux/filter.h>
#include <stdbool.h>

/*
 * What a session may ask of the kernel (SECURITY.md, Sandbox of a session), as two seccomp filters.
 * The kernel applies all filters of a process and obeys the strictest answer:
 *
 *     stage 1   from before the first byte to the screen's start: a list of what is allowed,
 *               anything else kills the process
 *     stage 2   from then on: what only the start needed is gone; openat answers EACCES
 *
 * The filters are compiled once, by the process that sessions are forked from.
 */
enum syscalls_stage {
    SYSCALLS_STAGE_1 = 0,
    SYSCALLS_STAGE_2,
    SYSCALLS_STAGES
};

struct syscalls_filter {
    struct sock_fprog program; /* its instructions are owned */
};

/* Compiles a stage's filter. False, with a line on the log, when that fails. */
bool syscalls_compile(enum syscalls_stage stage, struct syscalls_filter *filter) MUST_CHECK;
void syscalls_clear(struct syscalls_filter *filter);

/* Puts this process under the filter for good. It must have no_new_privs. False with errno. */
bool syscalls_restrict(const struct syscalls_filter *filter) MUST_CHECK;
