#ifndef DAEMON_PROCESSES_CHILD_H
#define DAEMON_PROCESSES_CHILD_H

#include "daemon/processes/reach.h"
#include "games/macros.h"

#include <stddef.h>
#include <sys/types.h>

#define CHILD_KEEP_MAX 16

/* A process to be forked off, without exec. */
struct child_plan {
    const char *name;         /* "core" (process_name.h) */
    pid_t group;              /* the process group to join; 0, or one that is gone: its own */
    int keep[CHILD_KEEP_MAX]; /* the descriptors it may have besides 0 to 2 */
    size_t keep_count;
    enum reach reach;
    int (*run)(const void *context); /* its exit status */
    const void *context;
};

/*
 * Forks. The child has its own or the given process group, dies with its parent, dumps no core and
 * cannot be traced, creates files for its owner alone, ignores SIGPIPE, blocks no signal, and has
 * closed every descriptor that is not its own, and reaches no further than planned. Returns its
 * process id, or -1 with errno.
 */
pid_t child_fork(const struct child_plan *plan) MUST_CHECK;

#endif
