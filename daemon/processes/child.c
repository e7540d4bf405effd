#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
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

/* What a process may do. */
enum {
    MAY_LISTEN = 1 << 0, /* make listening sockets */
    MAY_ACCEPT = 1 << 1, /* accept connections on sockets that it was given */
    MAY_USE_FILES = 1 << 2,
    MAY_RUN_PROGRAMS = 1 << 3,
    MAY_USE_UNIX = 1 << 4, /* sockets within this machine */
    MAY_USE_IP = 1 << 5,   /* other sockets */
};

static const unsigned rights_of[] = {
    [REACH_NETWORK] = MAY_USE_FILES | MAY_USE_UNIX | MAY_USE_IP,
    [REACH_NODES] = MAY_ACCEPT | MAY_USE_IP,
    [REACH_DATABASE] = MAY_ACCEPT | MAY_USE_FILES | MAY_RUN_PROGRAMS | MAY_USE_UNIX | MAY_USE_IP,
    [REACH_MACHINE] = MAY_LISTEN | MAY_ACCEPT | MAY_USE_FILES | MAY_RUN_PROGRAMS | MAY_USE_UNIX,
    [REACH_NOTHING] = MAY_LISTEN | MAY_ACCEPT | MAY_USE_FILES,
};

/* system calls that are useless to a process that only uses the descriptors it was given */
static const int calls_to_elsewhere[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(mount),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
};

static const int calls_to_programs[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
};

static const int calls_to_files[] = {
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(openat2),
    SCMP_SYS(creat),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(truncate),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(open_by_handle_at),
};

static const int calls_to_listen[] = {SCMP_SYS(bind), SCMP_SYS(listen)};
static const int calls_to_accept[] = {SCMP_SYS(accept), SCMP_SYS(accept4)};

/* The system calls that fail without a right; 0: in any case. */
static const struct {
    unsigned right;
    const int *calls;
    size_t count;
} refusals[] = {
    {MAY_LISTEN, calls_to_listen, ARRAY_LEN(calls_to_listen)},
    {MAY_ACCEPT, calls_to_accept, ARRAY_LEN(calls_to_accept)},
    {MAY_USE_FILES, calls_to_files, ARRAY_LEN(calls_to_files)},
    {MAY_RUN_PROGRAMS, calls_to_programs, ARRAY_LEN(calls_to_programs)},
    {0, calls_to_elsewhere, ARRAY_LEN(calls_to_elsewhere)},
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
    int error = filter == NULL ? -ENOMEM : refuse_sockets(filter, rights_of[reach]);
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        bool is_refused = (rights_of[reach] & refusals[i].right) == 0;
        for (size_t j = 0; is_refused && error == 0 && j < refusals[i].count; j++) {
            error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refusals[i].calls[j], 0);
        }
    }
    if (error == 0) {
        error = seccomp_load(filter); /* loading the filter also sets no_new_privs */
    }
    seccomp_release(filter);
    errno = -error;
    return error == 0;
}

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
