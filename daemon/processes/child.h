#pragma once

#include "daemon/processes/reach.h"

#include <stddef.h>
#include <sys/types.h>

#define CHILD_KEEP_MAX 16

/* Describes a process to fork. The process does not execute another program. */
struct child_plan {
    const char *name; /* name of the process (process_name.h), such as "core" */
    pid_t group;      /* process group to join; 0 or a group that no longer exists: a new group */
    int keep[CHILD_KEEP_MAX]; /* descriptors to keep open besides 0 to 2 */
    size_t keep_count;
    enum reach reach;
    int (*run)(const void *context); /* the function that the child runs; returns the exit status */
    const void *context;
};

/*
 * Forks the process. The child has its own or the given process group, dies with its parent, dumps
 * no core, cannot be traced, creates files for its owner only, ignores SIGPIPE, blocks no signal,
 * keeps only the planned descriptors open, and is restricted as planned. Returns the process id, or
 * -1 with errno.
 */
pid_t child_fork(const struct child_plan *plan) MUST_CHECK;
