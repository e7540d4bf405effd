#include "daemon/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void syscalls_clear_filter(struct sock_fprog *filter);

#define CONDITIONS_MAX 1

/* A rule for one system call: the action, and the conditions on the arguments, all of which must
 * hold. A condition compares a whole argument, or some of its bits. A filter sees the values of
 * arguments, but not the memory they point to. */
struct rule {
    uint32_t action;
    int number;
    unsigned condition_count;
    struct scmp_arg_cmp conditions[CONDITIONS_MAX];
};

/* clang-format off */
#define ALLOW(name) {SCMP_ACT_ALLOW, SCMP_SYS(name), 0, {{0}}}
#define ANSWER(name, error) {SCMP_ACT_ERRNO(error), SCMP_SYS(name), 0, {{0}}}
#define KILL(name) {SCMP_ACT_KILL_PROCESS, SCMP_SYS(name), 0, {{0}}}
#define ALLOW_EQUAL(name, arg, value) \
    {SCMP_ACT_ALLOW, SCMP_SYS(name), 1, {{arg, SCMP_CMP_EQ, value, 0}}}
#define ALLOW_CLEAR(name, arg, flags) \
    {SCMP_ACT_ALLOW, SCMP_SYS(name), 1, {{arg, SCMP_CMP_MASKED_EQ, flags, 0}}}
/* clang-format on */

static const struct rule stage_1[] = {
    /* calls that read and write open descriptors */
    ALLOW(poll),
    ALLOW(ppoll),
    ALLOW(read),
    ALLOW(readv),
    ALLOW(write),
    ALLOW(writev),
    ALLOW(recvfrom),
    ALLOW(recvmsg),
    /* sendto is allowed only without an address: packets go only to the connected peer */
    ALLOW_EQUAL(sendto, 4, 0),
    ALLOW_CLEAR(sendmsg, 2, MSG_FASTOPEN), /* MSG_FASTOPEN is forbidden: it opens a connection */
    ALLOW(shutdown),
    ALLOW(close),
    ALLOW(fstat),
    ALLOW(lseek),
    ALLOW_EQUAL(fcntl, 1, F_GETFL),
    ALLOW_EQUAL(fcntl, 1, F_SETFL),
    ANSWER(ioctl, ENOTTY),

    /* calls that allocate memory, which is never executable */
    ALLOW(brk),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW_CLEAR(mmap, 2, PROT_EXEC),
    ALLOW_CLEAR(mprotect, 2, PROT_EXEC),
    ALLOW(futex),
    ALLOW(getrandom),

    /* calls that read the time or use the watchdog's timer */
    ALLOW(clock_gettime),
    ALLOW(gettimeofday),
    ALLOW(nanosleep),
    ALLOW(clock_nanosleep),
    ALLOW(alarm),
    ALLOW_EQUAL(setitimer, 0, ITIMER_PROF),

    /* calls that concern only this process itself */
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(getuid),
    ALLOW(geteuid),
    ALLOW(getgid),
    ALLOW(getegid),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
    ALLOW_EQUAL(prctl, 0, PR_GET_NAME), /* the log reads the process's name with prctl */
    ANSWER(tgkill, EPERM), /* tgkill fails, so that abort() falls back to an illegal instruction */
    ALLOW(exit),
    ALLOW(exit_group),

    /* calls that only the start of the screen needs: stage 2 forbids them */
    ALLOW_CLEAR(openat, 2, O_ACCMODE | O_CREAT | O_TRUNC),
    ALLOW(newfstatat),
    ALLOW(access),
    ALLOW(faccessat),
    ALLOW(memfd_create),
    ALLOW_EQUAL(seccomp, 0, SECCOMP_SET_MODE_FILTER),
};

static const struct rule stage_2[] = {
    ANSWER(openat, EACCES),
    ANSWER(access, EACCES),
    ANSWER(faccessat, EACCES),
    /* not even for an open descriptor: a filter does not see whether the path is empty */
    ANSWER(newfstatat, EACCES),
    KILL(memfd_create),
    KILL(seccomp),
};

static const struct {
    uint32_t otherwise;
    const struct rule *rules;
    size_t count;
} stages[SYSCALLS_STAGES] = {
    [SYSCALLS_STAGE_1] = {SCMP_ACT_KILL_PROCESS, stage_1, ARRAY_LEN(stage_1)},
    [SYSCALLS_STAGE_2] = {SCMP_ACT_ALLOW, stage_2, ARRAY_LEN(stage_2)},
};

/* Adds the rules of stage 1 or stage 2 to the filter. Returns 0 or a negative errno, as libseccomp
 * does. */
static int add_rules(scmp_filter_ctx filter, enum syscalls_stage stage)
{
    /* kill a process that makes a system call of another architecture: our own code never does
     * so */
    int error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (error == 0) {
        /* search for the system call in a tree: the kernel runs a new filter for each call that
         * exists */
        error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    }
    for (size_t i = 0; i < stages[stage].count && error == 0; i++) {
        const struct rule *rule = &stages[stage].rules[i];
        error = seccomp_rule_add_array(filter, rule->action, rule->number, rule->condition_count,
                                       rule->conditions);
    }
    return error;
}

/* Copies a compiled filter into memory. This version of libseccomp can write it only to a file, so
 * it is written to a file in memory first. */
static int copy_compiled_filter(scmp_filter_ctx from, struct sock_fprog *to)
{
    struct stat info;
    int fd = memfd_create("filter", MFD_CLOEXEC);
    int error = fd < 0 ? -errno : seccomp_export_bpf(from, fd);
    if (error == 0 && fstat(fd, &info) == 0) {
        size_t size = (size_t)info.st_size;
        to->len = (unsigned short)(size / sizeof(*to->filter));
        to->filter = must_not_be_null(malloc(size));
        error = pread(fd, to->filter, size, 0) == (ssize_t)size ? 0 : -EIO;
    }
    fd_close(fd);
    return error;
}

/* Compiles the filter of stage 1 or stage 2. Returns false, with a line on the log, if that
 * fails. */
static bool syscalls_compile_filter(enum syscalls_stage stage, struct sock_fprog *filter)
{
    *filter = (struct sock_fprog){0};
    scmp_filter_ctx context = seccomp_init(stages[stage].otherwise);
    int error = context == NULL ? -ENOMEM : add_rules(context, stage);
    if (error == 0) {
        error = copy_compiled_filter(context, filter);
    }
    seccomp_release(context);
    if (error == 0 && filter->len > 0) {
        return true;
    }
    log_event(LOG_LEVEL_ERROR, 0, "cannot compile a filter of system calls: %s", strerror(-error));
    syscalls_clear_filter(filter);
    return false;
}

static void syscalls_clear_filter(struct sock_fprog *filter)
{
    free(filter->filter);
    *filter = (struct sock_fprog){0};
}

/* Applies the filter to this process permanently. The process must have no_new_privs. Returns false
 * and sets errno on failure. */
static bool syscalls_apply_filter(const struct sock_fprog *filter)
{
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0;
}

static const struct {
    unsigned resource;
    rlim_t most;
    bool is_for_all_builds;
} resource_limits[] = {
    {RLIMIT_CORE, 0, true},
    {RLIMIT_NPROC, 0, true},
    {RLIMIT_NOFILE, 16, true},
    /* CPU time in s, as a last resort: the gate (gate/gate.h) ends a session that uses too much far
     * earlier */
    {RLIMIT_CPU, 14400, true},
    /* largest file in bytes: not 0, because curses draws into a memfd; a screen of 500 by 200 needs
     * 1 MiB */
    {RLIMIT_FSIZE, 4 << 20, true},
    {RLIMIT_DATA, 64 << 20,
     false}, /* most memory in bytes: a screen of 500 by 200 and its frames need a tenth of this */
    {RLIMIT_AS, 512 << 20, false},
};

/* folders in which Debian's ncurses looks for terminal descriptions (infocmp -D) */
static const char *const readable[] = {"/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo",
                                       NULL};

struct confinement {
    struct sock_fprog filters[SYSCALLS_STAGES];
    int file_rules; /* descriptor of the rules for file access; -1: the kernel has no Landlock */
    bool is_changing_user;
    struct rights rights;
};

static bool find_session_user(struct confinement *confinement, const char *name)
{
    if (geteuid() != 0) {
        return true; /* sessions run as the user of the house, which is not root */
    }
    if (!rights_find_user(name, &confinement->rights)) {
        log_event(LOG_LEVEL_ERROR, 0, "sessions cannot be run by the user %s: %s", name,
                  errno != 0 ? strerror(errno) : "there is no such account, or it is root's");
        return false;
    }
    confinement->is_changing_user = true;
    return true;
}

/* Exits if the step has failed: a session must not run with less confinement than the log says. */
static void exit_if_step_failed(bool is_done, const char *step)
{
    if (!is_done) {
        log_failure("cannot confine a session: %s", step);
        _exit(EXIT_FAILURE);
    }
}

/* Tries the confinement in a child process: the kernel may refuse it, and so may a container or
 * sandbox in which the house runs. */
static bool test_confinement_in_child(const struct confinement *confinement)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        confine_files(confinement);
        confine_session(confinement);
        confine_after_screen_start(confinement);
        _exit(EXIT_SUCCESS);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool prepare_confinement(struct confinement *confinement, const char *user)
{
    if (IS_SANITIZED) {
        log_event(LOG_LEVEL_WARN, 0, "built with sanitizers: sessions are not confined");
        return true;
    }
    for (enum syscalls_stage stage = 0; stage < SYSCALLS_STAGES; stage++) {
        if (!syscalls_compile_filter(stage, &confinement->filters[stage])) {
            return false;
        }
    }
    if (!find_session_user(confinement, user)) {
        return false;
    }
    confinement->file_rules = files_make_access_rules(readable);
    if (!test_confinement_in_child(confinement)) {
        log_event(LOG_LEVEL_ERROR, 0, "sessions cannot be confined here");
        return false;
    }
    log_pairs(LOG_LEVEL_INFO, 0, "confine",
              LOG_PAIRS("user", confinement->is_changing_user ? user : "own", "landlock",
                        confinement->file_rules >= 0 ? "on" : "off", "seccomp", "on"));
    return true;
}

struct confinement *confinement_new(const char *user)
{
    struct confinement *confinement = must_allocate(sizeof(*confinement));
    confinement->file_rules = -1;
    if (prepare_confinement(confinement, user == NULL ? CONFINE_USER : user)) {
        return confinement;
    }
    confinement_free(confinement);
    return NULL;
}

void confinement_free(struct confinement *confinement)
{
    if (confinement == NULL) {
        return;
    }
    for (size_t stage = 0; stage < SYSCALLS_STAGES; stage++) {
        syscalls_clear_filter(&confinement->filters[stage]);
    }
    fd_close(confinement->file_rules);
    free(confinement);
}

static void limit_session_resources(void)
{
    for (size_t i = 0; i < ARRAY_LEN(resource_limits); i++) {
        const struct rlimit limit = {resource_limits[i].most, resource_limits[i].most};
        if (resource_limits[i].is_for_all_builds || !IS_SANITIZED) {
            exit_if_step_failed(setrlimit(resource_limits[i].resource, &limit) == 0, "limits");
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* a frame of the screen that is larger than the limit is truncated */
}

static void change_to_session_user(const struct confinement *confinement)
{
    if (confinement->is_changing_user) {
        exit_if_step_failed(rights_change_user(&confinement->rights), "user");
    }
    exit_if_step_failed(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "dumps");
}

void confine_files(const struct confinement *confinement)
{
    exit_if_step_failed(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "privileges");
    if (confinement->file_rules >= 0) {
        exit_if_step_failed(files_apply_access_rules(confinement->file_rules), "Landlock");
    }
}

void confine_session(const struct confinement *confinement)
{
    limit_session_resources();
    change_to_session_user(confinement);
    if (!IS_SANITIZED) {
        exit_if_step_failed(syscalls_apply_filter(&confinement->filters[SYSCALLS_STAGE_1]),
                            "seccomp");
    }
}

void confine_after_screen_start(const struct confinement *confinement)
{
    if (!IS_SANITIZED) {
        exit_if_step_failed(syscalls_apply_filter(&confinement->filters[SYSCALLS_STAGE_2]),
                            "seccomp");
    }
}

int separation_keep_from_children(int fd)
{
    int kept = fd < SEPARATION_FDS ? fcntl(fd, F_DUPFD_CLOEXEC, SEPARATION_FDS) : -1;
    if (kept < 0) {
        return fd;
    }
    close(fd);
    return kept;
}
