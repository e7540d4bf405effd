#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>

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
