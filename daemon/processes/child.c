#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <limits.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The system calls that fail without a right; 0: in any case. */
static const struct {
    int call;
    unsigned right;
} refusals[] = {
    {SCMP_SYS(bind), MAY_LISTEN},
    {SCMP_SYS(listen), MAY_LISTEN},
    {SCMP_SYS(accept), MAY_ACCEPT},
    {SCMP_SYS(accept4), MAY_ACCEPT},
    {SCMP_SYS(open), MAY_USE_FILES},
    {SCMP_SYS(openat), MAY_USE_FILES},
    {SCMP_SYS(openat2), MAY_USE_FILES},
    {SCMP_SYS(creat), MAY_USE_FILES},
    {SCMP_SYS(unlink), MAY_USE_FILES},
    {SCMP_SYS(unlinkat), MAY_USE_FILES},
    {SCMP_SYS(rename), MAY_USE_FILES},
    {SCMP_SYS(renameat), MAY_USE_FILES},
    {SCMP_SYS(renameat2), MAY_USE_FILES},
    {SCMP_SYS(truncate), MAY_USE_FILES},
    {SCMP_SYS(link), MAY_USE_FILES},
    {SCMP_SYS(linkat), MAY_USE_FILES},
    {SCMP_SYS(symlink), MAY_USE_FILES},
    {SCMP_SYS(symlinkat), MAY_USE_FILES},
    {SCMP_SYS(mkdir), MAY_USE_FILES},
    {SCMP_SYS(mkdirat), MAY_USE_FILES},
    {SCMP_SYS(chmod), MAY_USE_FILES},
    {SCMP_SYS(fchmodat), MAY_USE_FILES},
    {SCMP_SYS(open_by_handle_at), MAY_USE_FILES},
    {SCMP_SYS(execve), MAY_RUN_PROGRAMS},
    {SCMP_SYS(execveat), MAY_RUN_PROGRAMS},
    /* useless to a process that only uses the descriptors it was given */
    {SCMP_SYS(ptrace), 0},
    {SCMP_SYS(process_vm_readv), 0},
    {SCMP_SYS(process_vm_writev), 0},
    {SCMP_SYS(bpf), 0},
    {SCMP_SYS(userfaultfd), 0},
    {SCMP_SYS(perf_event_open), 0},
    {SCMP_SYS(io_uring_setup), 0},
    {SCMP_SYS(mount), 0},
    {SCMP_SYS(unshare), 0},
    {SCMP_SYS(setns), 0},
    {SCMP_SYS(keyctl), 0},
    {SCMP_SYS(add_key), 0},
    {SCMP_SYS(request_key), 0},
};

/* Refuses to make sockets of other families than the rights allow. Returns 0 or a negative errno,
 * as libseccomp does. */
static int refuse_sockets(scmp_filter_ctx filter, unsigned rights)
{
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                 SCMP_A0(SCMP_CMP_GT, AF_INET6, 0));
    for (unsigned family = 0; family <= AF_INET6 && error == 0; family++) {
        unsigned right = family == AF_UNIX                         ? MAY_USE_UNIX
                         : family == AF_INET || family == AF_INET6 ? MAY_USE_IP
                                                                   : 0;
        if ((rights & right) == 0) {
            error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                     SCMP_A0(SCMP_CMP_EQ, family, 0));
        }
    }
    return error;
}

bool reach_restrict_process(enum reach reach)
{
    if (reach == REACH_ALL || IS_SANITIZED) {
        return true;
    }
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int error = filter == NULL ? -ENOMEM : refuse_sockets(filter, reach);
    for (size_t i = 0; i < ARRAY_LEN(refusals) && error == 0; i++) {
        if ((reach & refusals[i].right) == 0) {
            error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refusals[i].call, 0);
        }
    }
    if (error == 0) {
        error = seccomp_load(filter); /* loading the filter also sets no_new_privs */
    }
    seccomp_release(filter);
    errno = -error;
    return error == 0;
}

/* Returns the lowest planned descriptor from this one on; `none` if there is none. */
static unsigned find_planned(const struct child_plan *plan, unsigned from, unsigned none)
{
    unsigned found = none;
    for (size_t i = 0; i < plan->keep_count; i++) {
        if (plan->keep[i] >= (int)from && (unsigned)plan->keep[i] < found) {
            found = (unsigned)plan->keep[i];
        }
    }
    return found;
}

static void close_unplanned_descriptors(const struct child_plan *plan)
{
    unsigned from = STDERR_FILENO + 1;
    for (unsigned kept; (kept = find_planned(plan, from, INT_MAX)) < INT_MAX; from = kept + 1) {
        if (kept > from) {
            fd_close_range(from, kept - 1, 0);
        }
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
