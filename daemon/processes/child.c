#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_numbers(const void *a, const void *b)
{
    const int *left = a;
    const int *right = b;
    return (*left > *right) - (*left < *right);
}

static void close_unplanned_descriptors(const struct child_plan *plan)
{
    int keep[CHILD_KEEP_MAX];
    memcpy(keep, plan->keep, sizeof keep);
    qsort(keep, plan->keep_count, sizeof keep[0], compare_numbers);
    unsigned from = STDERR_FILENO + 1;
    for (size_t i = 0; i < plan->keep_count; i++) {
        unsigned kept = (unsigned)keep[i];
        if (keep[i] < (int)from) {
            continue; /* skip -1 (no descriptor), standard descriptors and duplicates */
        }
        if (kept > from) {
            fd_close_range(from, kept - 1, 0);
        }
        from = kept + 1;
    }
    fd_close_range(from, ~0U, 0);
}

static void run_child(const struct child_plan *plan, pid_t parent_pid)
{
    const struct rlimit no_core = {0};
    sigset_t none;
    if (setpgid(0, plan->group) != 0) {
        setpgid(0, 0);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent_pid) {
        _exit(1); /* the parent died before prctl could ask for a signal at its death */
    }
    close_unplanned_descriptors(plan);
    setrlimit(RLIMIT_CORE, &no_core);
    /* Forbid tracing: passwords, private messages and hidden cards pass through this process. */
    prctl(PR_SET_DUMPABLE, 0);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    process_set_name(plan->name);
    if (plan->reach != REACH_ALL && !rights_give_up_capabilities()) {
        log_failure("%s cannot give up its rights", plan->name);
        _exit(1);
    }
    if (!reach_restrict_process(plan->reach)) {
        log_failure("%s cannot be restricted", plan->name);
        _exit(1);
    }
    exit(plan->run(plan->context));
}

pid_t child_fork(const struct child_plan *plan)
{
    pid_t parent = getpid();
    fflush(NULL); /* flush now: otherwise both processes would write the buffered output */
    pid_t pid = fork();
    if (pid == 0) {
        run_child(plan, parent);
    }
    return pid;
}
