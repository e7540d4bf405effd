#pragma once

#include "games/macros.h"

#include <linux/filter.h>
#include <stdbool.h>

/*
 * The system calls that a session may make, as two seccomp filters. The kernel applies all filters
 * of a process, and the strictest result counts:
 *
 *     stage 1   applied before the first input: lists the allowed calls; any other call kills the
 *               process
 *     stage 2   applied once the screen has started: forbids the calls that only the start of the
 *               screen needs; openat fails with EACCES
 *
 * The gate compiles the filters once, before it forks sessions.
 */
enum syscalls_stage {
    SYSCALLS_STAGE_1 = 0,
    SYSCALLS_STAGE_2,
    SYSCALLS_STAGES
};

/* Compiles the filter of stage 1 or stage 2. Returns false, with a line on the log, if that
 * fails. */
bool syscalls_compile_filter(enum syscalls_stage stage, struct sock_fprog *filter) MUST_CHECK;
void syscalls_clear_filter(struct sock_fprog *filter);

/* Applies the filter to this process permanently. The process must have no_new_privs. Returns false
 * and sets errno on failure. */
bool syscalls_apply_filter(const struct sock_fprog *filter) MUST_CHECK;
