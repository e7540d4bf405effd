#include "daemon/session/session.h"

#include "daemon/base/base.h"
#include "games/macros.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Each test forks a process that confines itself as a session does, and then tries something. */

enum stage {
    BEFORE_SCREEN,
    AFTER_SCREEN
};

enum {
    DONE = 0, /* exit statuses of the child processes */
    NOT_AS_EXPECTED = 99
};

#if !IS_SANITIZED

static struct confinement *confinement;
static pid_t other; /* a process that a session must not reach */
static int ends[2]; /* a pair of sockets that a session has */

/* Calls the function in a child process that is confined as a session is. Returns the child's wait
 * status. */
static int run_confined(enum stage stage, int (*attempt)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        confine_files(confinement);
        confine_session(confinement);
        if (stage == AFTER_SCREEN) {
            confine_after_screen_start(confinement);
        }
        _exit(attempt());
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static int set_up_confinement(void **state)
{
    (void)state;
    other = getpid();
    confinement = confinement_new(NULL);
    return confinement != NULL ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) : -1;
}

static int tear_down_confinement(void **state)
{
    (void)state;
    confinement_free(confinement);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* Returns DONE if the call failed with this error. */
static int check_call_fails_with(long result, int error)
{
    if (result >= 0) {
        return NOT_AS_EXPECTED;
    }
    return errno == error ? DONE : errno;
}

static int open_internet_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static int open_socket_pair(void)
{
    int more[2];
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, more);
}

static const struct sockaddr_un elsewhere = {.sun_family = AF_UNIX, .sun_path = "/run/other"};

static int send_to_another_socket(void)
{
    return (int)sendto(ends[0], "x", 1, MSG_NOSIGNAL, (const struct sockaddr *)&elsewhere,
                       sizeof elsewhere);
}

static int connect_by_sendmsg(void)
{
    const struct msghdr message = {0};
    return (int)sendmsg(ends[0], &message, MSG_FASTOPEN);
}

static int connect_to_another_socket(void)
{
    return connect(ends[0], (const struct sockaddr *)&elsewhere, sizeof elsewhere);
}

static int raise_cpu_limit(void)
{
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_CPU, &none);
}

static int raise_cpu_limit_by_pid(void)
{
    return prlimit(0, RLIMIT_CPU, NULL, NULL);
}

static int open_file_for_writing(void)
{
    return open("/tmp/written-by-a-session", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

static int open_file_for_reading_and_writing(void)
{
    return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int execute_program(void)
{
    char *argv[] = {(char[]){"true"}, NULL};
    return execv("/bin/true", argv);
}

static int fork_process(void)
{
    return fork() < 0 ? DONE : NOT_AS_EXPECTED;
}

static int kill_other_process(void)
{
    return kill(other, 0);
}

static int trace_other_process(void)
{
    char byte;
    return (int)syscall(SYS_process_vm_readv, other, &byte, 1, &byte, 1, 0);
}

static int map_executable_memory(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}

static int make_memory_executable(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int become_traceable(void)
{
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static int create_memory_file(void)
{
    return memfd_create("more", 0);
}

static int install_another_seccomp_filter(void)
{
    return (int)syscall(SYS_seccomp, 1, 0, NULL);
}

static void assert_call_kills_session(enum stage stage, int (*attempt)(void))
{
    int status = run_confined(stage, attempt);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void a_session_that_makes_a_forbidden_system_call_is_killed(void **state)
{
    (void)state;
    int (*const forbidden[])(void) = {open_internet_socket,
                                      open_socket_pair,
                                      send_to_another_socket,
                                      connect_by_sendmsg,
                                      connect_to_another_socket,
                                      raise_cpu_limit,
                                      raise_cpu_limit_by_pid,
                                      open_file_for_writing,
                                      open_file_for_reading_and_writing,
                                      execute_program,
                                      fork_process,
                                      kill_other_process,
                                      trace_other_process,
                                      map_executable_memory,
                                      make_memory_executable,
                                      become_traceable};
    for (size_t i = 0; i < ARRAY_LEN(forbidden); i++) {
        assert_call_kills_session(BEFORE_SCREEN, forbidden[i]);
    }
}

static void a_system_call_needed_only_to_start_the_screen_is_fatal_afterwards(void **state)
{
    (void)state;
    int (*const forbidden[])(void) = {create_memory_file, install_another_seccomp_filter};
    for (size_t i = 0; i < ARRAY_LEN(forbidden); i++) {
        assert_call_kills_session(AFTER_SCREEN, forbidden[i]);
    }
}

static int open_terminal_description(void)
{
    int file = open("/lib/terminfo/x/xterm", O_RDONLY | O_CLOEXEC);
    char byte;
    return file >= 0 && read(file, &byte, 1) == 1 ? DONE : errno;
}

static int open_terminal_description_after_screen_start(void)
{
    return check_call_fails_with(open("/lib/terminfo/x/xterm", O_RDONLY | O_CLOEXEC), EACCES);
}

static int open_password_file(void)
{
    return check_call_fails_with(open("/etc/passwd", O_RDONLY | O_CLOEXEC), EACCES);
}

/* A file that exists, and one that does not, must be answered alike. */
static int ask_whether_files_exist(void)
{
    static const char *const paths[] = {"/etc/passwd", "/etc/no-such-file"};
    struct stat info;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        static const int flags[] = {0, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH};
        for (size_t k = 0; k < ARRAY_LEN(flags); k++) {
            if (syscall(SYS_newfstatat, AT_FDCWD, paths[i], &info, flags[k]) != -1 ||
                errno != EACCES) {
                return NOT_AS_EXPECTED;
            }
        }
        if (access(paths[i], F_OK) != -1 || errno != EACCES ||
            syscall(SYS_faccessat, AT_FDCWD, paths[i], F_OK) != -1 || errno != EACCES ||
            open(paths[i], O_RDONLY | O_CLOEXEC) != -1 || errno != EACCES) {
            return NOT_AS_EXPECTED;
        }
    }
    return DONE;
}

static void assert_attempt_succeeds(enum stage stage, int (*attempt)(void))
{
    int status = run_confined(stage, attempt);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DONE);
}

static void terminal_descriptions_can_be_read_until_the_screen_has_started(void **state)
{
    (void)state;
    assert_attempt_succeeds(BEFORE_SCREEN, open_terminal_description);
    assert_attempt_succeeds(AFTER_SCREEN, open_terminal_description_after_screen_start);
}

static void no_file_but_terminal_descriptions_can_be_read(void **state)
{
    (void)state;
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 0) {
        skip(); /* without Landlock in the kernel, the rights of the user decide which files can be
                   read */
    }
    assert_attempt_succeeds(BEFORE_SCREEN, open_password_file);
}

static void a_session_learns_of_no_file_whether_it_exists(void **state)
{
    (void)state;
    assert_attempt_succeeds(AFTER_SCREEN, ask_whether_files_exist);
}

static int is_unprivileged(void)
{
    return geteuid() != 0 && getuid() != 0 && getegid() != 0 ? DONE : NOT_AS_EXPECTED;
}

static void a_session_is_never_root(void **state)
{
    (void)state;
    assert_attempt_succeeds(AFTER_SCREEN, is_unprivileged);
}

/* Reads from /proc/PID/status the line that begins with this prefix; writes the rest of that line,
 * without tabs before it. */
static void read_status_value(pid_t pid, const char *prefix, char value[256])
{
    char path[32];
    char line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *status = fopen(path, "re");
    assert_non_null(status);
    value[0] = '\0';
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            snprintf(value, 256, "%s",
                     line + strlen(prefix) + strspn(line + strlen(prefix), "\t "));
            value[strcspn(value, "\n")] = '\0';
        }
    }
    fclose(status);
}

static void a_session_has_no_groups_or_capabilities_of_root(void **state)
{
    (void)state;
    const gid_t groups[] = {0, 4, 6};
    int ready[2], go_on[2];
    char byte = 'x';
    char value[256];
    if (geteuid() != 0) {
        skip(); /* only a house that root opens changes its user */
    }
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go_on), 0);
    pid_t pid = fork();
    if (pid == 0) {
        bool has_groups = setgroups(ARRAY_LEN(groups), groups) == 0;
        confine_files(confinement);
        confine_session(confinement);
        _exit(has_groups && write(ready[1], &byte, 1) == 1 && read(go_on[0], &byte, 1) == 1
                  ? DONE
                  : NOT_AS_EXPECTED);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    read_status_value(pid, "Groups:", value);
    assert_int_equal(strspn(value, " "), strlen(value));
    static const char *const capabilities[] = {"CapInh:", "CapPrm:", "CapEff:", "CapAmb:"};
    for (size_t i = 0; i < ARRAY_LEN(capabilities); i++) {
        read_status_value(pid, capabilities[i], value);
        assert_string_equal(value, "0000000000000000");
    }
    read_status_value(pid, "Uid:", value);
    assert_true(value[0] != '0' && strstr(value, "\t0") == NULL);
    read_status_value(pid, "Gid:", value);
    assert_true(value[0] != '0' && strstr(value, "\t0") == NULL);
    int status = 0;
    assert_int_equal(write(go_on[1], &byte, 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(ready[0]);
    close(ready[1]);
    close(go_on[0]);
    close(go_on[1]);
}

/* Makes system calls that a session makes in ordinary use. */
static int make_ordinary_system_calls(void)
{
    struct timespec now;
    char *grown = malloc(1 << 20);
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == NULL || mapped == MAP_FAILED || munmap(mapped, 4096) != 0 ||
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0 || getpid() <= 0) {
        return NOT_AS_EXPECTED;
    }
    free(grown);
    return check_call_fails_with(ioctl(STDERR_FILENO, TIOCSTI, "x"), ENOTTY);
}

static void the_system_calls_of_ordinary_use_are_allowed(void **state)
{
    (void)state;
    assert_attempt_succeeds(BEFORE_SCREEN, make_ordinary_system_calls);
    assert_attempt_succeeds(AFTER_SCREEN, make_ordinary_system_calls);
}

/* Writes frames of the screen to a file in memory, as curses does: one of 1 MiB, and one without
 * end, which is truncated. */
static int write_screen_frames(void)
{
    static char frame[1 << 20];
    int memory = memfd_create("screen", MFD_CLOEXEC);
    if (write(memory, frame, sizeof(frame)) != (ssize_t)sizeof(frame)) {
        return NOT_AS_EXPECTED;
    }
    ssize_t written = 1;
    for (int i = 0; i < 8 && written > 0; i++) {
        written = write(memory, frame, sizeof(frame));
    }
    return check_call_fails_with(written, EFBIG);
}

static void a_frame_of_1_mib_can_be_drawn_and_a_larger_one_is_truncated(void **state)
{
    (void)state;
    assert_attempt_succeeds(BEFORE_SCREEN, write_screen_frames);
}

static int abort_process(void)
{
    signal(SIGSEGV, SIG_DFL); /* cmocka has set a handler for this signal */
    abort();
}

static void abort_is_not_mistaken_for_a_forbidden_system_call(void **state)
{
    (void)state;
    int status = run_confined(AFTER_SCREEN, abort_process);
    assert_true(WIFSIGNALED(status));
    assert_int_not_equal(WTERMSIG(status), SIGSYS);
}

static void the_user_of_sessions_must_exist_and_not_be_root(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        skip(); /* only a house that root opens changes its user */
    }
    assert_null(confinement_new("no-such-user"));
    assert_null(confinement_new("root"));
}

TEST_GROUP(confine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_that_makes_a_forbidden_system_call_is_killed),
        cmocka_unit_test(a_system_call_needed_only_to_start_the_screen_is_fatal_afterwards),
        cmocka_unit_test(terminal_descriptions_can_be_read_until_the_screen_has_started),
        cmocka_unit_test(a_session_learns_of_no_file_whether_it_exists),
        cmocka_unit_test(no_file_but_terminal_descriptions_can_be_read),
        cmocka_unit_test(a_session_is_never_root),
        cmocka_unit_test(a_session_has_no_groups_or_capabilities_of_root),
        cmocka_unit_test(the_system_calls_of_ordinary_use_are_allowed),
        cmocka_unit_test(a_frame_of_1_mib_can_be_drawn_and_a_larger_one_is_truncated),
        cmocka_unit_test(abort_is_not_mistaken_for_a_forbidden_system_call),
        cmocka_unit_test(the_user_of_sessions_must_exist_and_not_be_root),
    };
    return cmocka_run_group_tests(tests, set_up_confinement, tear_down_confinement);
}

#else

static void a_session_built_with_sanitizers_may_read_what_they_need(void **state)
{
    (void)state;
    struct confinement *confinement = confinement_new(NULL);
    assert_non_null(confinement);
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        confine_files(confinement);
        confine_session(confinement);
        confine_after_screen_start(confinement);
        _exit(open("/proc/self/maps", O_RDONLY | O_CLOEXEC) >= 0 ? DONE : NOT_AS_EXPECTED);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, DONE);
    confinement_free(confinement);
}

TEST_GROUP(confine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_built_with_sanitizers_may_read_what_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
