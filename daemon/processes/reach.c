#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>

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

/* Makes these system calls fail. Returns 0 or a negative errno, as libseccomp does. */
static int refuse_system_calls(scmp_filter_ctx filter, const int *calls, size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    }
    return error;
}

/* Refuses to make sockets of families other than TCP/IP and, if allowed, AF_UNIX. */
static int refuse_strange_sockets(scmp_filter_ctx filter, bool is_unix_allowed)
{
    int error = 0;
    for (unsigned family = 0; family <= AF_INET6 && error == 0; family++) {
        bool is_allowed =
            family == AF_INET || family == AF_INET6 || (family == AF_UNIX && is_unix_allowed);
        if (!is_allowed) {
            error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                     SCMP_A0(SCMP_CMP_EQ, family, 0));
        }
    }
    return error != 0 ? error
                      : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                         SCMP_A0(SCMP_CMP_GT, AF_INET6, 0));
}

/* Refuses to listen, and with `refuses_accept` to accept connections at sockets that were given. */
static int refuse_to_listen(scmp_filter_ctx filter, bool refuses_accept)
{
    static const int calls[] = {SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
                                SCMP_SYS(accept4)};
    return refuse_system_calls(filter, calls, refuses_accept ? ARRAY_LEN(calls) : 2);
}

/* Refuses files and listening sockets, but allows to accept connections at sockets that listen
 * already. */
static int refuse_all_but_nodes(scmp_filter_ctx filter)
{
    int error = refuse_to_listen(filter, false);
    if (error == 0) {
        error = refuse_system_calls(filter, calls_to_files, ARRAY_LEN(calls_to_files));
    }
    return error != 0 ? error : refuse_strange_sockets(filter, false);
}

static int refuse_sockets_beyond_reach(scmp_filter_ctx filter, enum reach reach)
{
    if (reach == REACH_NETWORK || reach == REACH_DATABASE) {
        int error = refuse_to_listen(filter, reach == REACH_NETWORK);
        return error != 0 ? error : refuse_strange_sockets(filter, true);
    }
    if (reach == REACH_NODES) {
        return refuse_all_but_nodes(filter);
    }
    if (reach == REACH_NOTHING) {
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 0);
    }
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                            SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
}

bool reach_restrict_process(enum reach reach)
{
    if (reach == REACH_ALL || IS_SANITIZED) {
        return true;
    }
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int error = filter == NULL ? -ENOMEM : refuse_sockets_beyond_reach(filter, reach);
    if (error == 0) {
        error = refuse_system_calls(filter, calls_to_elsewhere, ARRAY_LEN(calls_to_elsewhere));
    }
    if (error == 0 && reach != REACH_MACHINE && reach != REACH_DATABASE) {
        error = refuse_system_calls(filter, calls_to_programs, ARRAY_LEN(calls_to_programs));
    }
    if (error == 0) {
        error = seccomp_load(filter); /* loading the filter also sets no_new_privs */
    }
    seccomp_release(filter);
    errno = -error;
    return error == 0;
}
