#include "daemon/session/session.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    unsigned resource;
    rlim_t most;
    bool is_for_all_builds;
} resource_limits[] = {
    {RLIMIT_CORE, 0, true},
    {RLIMIT_NPROC, 0, true},
    {RLIMIT_NOFILE, 16, true},
    /* CPU time in s, as a last resort: the gate (gate_cpu.h) ends a session that uses too much far
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
