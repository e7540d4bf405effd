#include "tests/cluster/rig_processes.h"

#include "tests/daemon/fixtures/folder_fixture.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 1
#define END_TRIES 2000 /* polls until processes that were asked to end are killed */
#define KILL_TRIES 5000

void rig_fail(int error, const char *what, const char *detail)
{
    fprintf(stderr, "cluster rig: %s: %s%s%s\n", what, detail, error == 0 ? "" : ": ",
            error == 0 ? "" : strerror(error));
    exit(2);
}

struct rig_user rig_processes_find_user(const char *name)
{
    if (geteuid() != 0) {
        return (struct rig_user){geteuid(), getegid()};
    }
    const struct passwd *user = getpwnam(name);
    if (user == NULL) {
        rig_fail(0, "no such user", name);
    }
    return (struct rig_user){user->pw_uid, user->pw_gid};
}

/* The child's part of rig_processes_start. */
_Noreturn static void execute(const struct rig_user *user, const char *folder, int output,
                              const char *const *argv)
{
    bool is_ready = dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
    if (is_ready && geteuid() == 0) {
        is_ready = setgroups(0, NULL) == 0 && setgid(user->gid) == 0 && setuid(user->uid) == 0;
    }
    /* its own process group: a Ctrl-C in the terminal ends the test, and then the watchdog works */
    if (is_ready && setpgid(0, 0) == 0 && chdir(folder) == 0) {
        execv(argv[0], (char *const *)(uintptr_t)argv);
    }
    perror(argv[0]);
    _exit(127);
}

pid_t rig_processes_start(const struct rig_user *user, const char *folder, const char *log,
                          const char *const *argv)
{
    int output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    pid_t pid = output < 0 ? -1 : fork();
    if (pid == 0) {
        execute(user, folder, output, argv);
    }
    if (pid < 0) {
        rig_fail(errno, "cannot start", argv[0]);
    }
    close(output);
    return pid;
}

void rig_processes_print_log(const char *log)
{
    char line[1024];
    FILE *file = fopen(log, "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        fputs(line, stderr);
    }
    if (file != NULL) {
        fclose(file);
    }
}

void rig_processes_run(const struct rig_user *user, const char *folder, const char *log,
                       const char *const *argv)
{
    int status = 0;
    pid_t pid = rig_processes_start(user, folder, log, argv);
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            rig_fail(errno, "waitpid", argv[0]);
        }
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        rig_processes_print_log(log);
        rig_fail(0, "this program failed", argv[0]);
    }
}

/* Whether the process works in the folder. A process that has ended works nowhere. */
static bool is_in_folder(const char *pid, const char *folder)
{
    char path[64];
    char current[512];
    size_t len = strlen(folder);
    (void)snprintf(path, sizeof(path), "/proc/%.20s/cwd", pid);
    ssize_t size = readlink(path, current, sizeof(current) - 1);
    if (size < 0) {
        return false;
    }
    current[size] = '\0';
    return strncmp(current, folder, len) == 0 && (current[len] == '/' || current[len] == '\0');
}

unsigned rig_processes_signal(const char *folder, int signal_number)
{
    unsigned count = 0;
    const struct dirent *entry;
    DIR *all = opendir("/proc");
    if (all == NULL) {
        rig_fail(errno, "cannot read", "/proc");
    }
    while ((entry = readdir(all)) != NULL) {
        if (isdigit((unsigned char)entry->d_name[0]) && is_in_folder(entry->d_name, folder)) {
            (void)kill((pid_t)strtol(entry->d_name, NULL, 10), signal_number);
            count++;
        }
    }
    closedir(all);
    return count;
}

void rig_processes_kill(const char *folder)
{
    for (int i = 0; i < KILL_TRIES; i++) {
        if (rig_processes_signal(folder, SIGKILL) == 0) {
            return;
        }
        (void)poll(NULL, 0, POLL_MS);
    }
    rig_fail(0, "processes cannot be killed in", folder);
}

/* Asks the processes to end at once, which lets servers remove what they keep outside their folder,
 * such as shared memory. Kills those that do not. */
static void end_processes(const char *folder)
{
    unsigned left = rig_processes_signal(folder, SIGQUIT);
    (void)rig_processes_signal(folder, SIGCONT);
    for (int i = 0; i < END_TRIES && left > 0; i++) {
        (void)poll(NULL, 0, POLL_MS);
        left = rig_processes_signal(folder, 0);
    }
    rig_processes_kill(folder);
}

/* The watchdog's own process, which no signal to the owner's group reaches. */
_Noreturn static void watch(int alive, const char *folder)
{
    char byte;
    (void)setsid();
    (void)signal(SIGPIPE, SIG_IGN);
    if (chdir("/") != 0) { /* the watchdog must not work in the folder itself */
        rig_fail(errno, "cannot enter", "/");
    }
    while (read(alive, &byte, 1) < 0 && errno == EINTR) {
    }
    end_processes(folder);
    if (folder_remove(folder) != 0) {
        rig_fail(errno, "cannot remove", folder);
    }
    _exit(0);
}

void rig_watchdog_start(struct rig_watchdog *watchdog, const struct rig_user *user,
                        char folder[RIG_FOLDER_SIZE])
{
    int alive[2];
    int done[2];
    /* A server makes a thousand files, for which a disk's file system takes a second of the
     * processor's time. */
    (void)snprintf(folder, RIG_FOLDER_SIZE, "%s/trickhouse-rig-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL || chown(folder, user->uid, user->gid) != 0) {
        rig_fail(errno, "cannot make", folder);
    }
    if (pipe2(alive, O_CLOEXEC) != 0 || pipe2(done, O_CLOEXEC) != 0) {
        rig_fail(errno, "pipe", folder);
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(alive[1]);
        close(done[0]);
        /* A grandchild is no child of the owner, so that whoever kills the owner with all its
         * children spares the watchdog. */
        if (fork() == 0) {
            watch(alive[0], folder);
        }
        _exit(0);
    }
    close(alive[0]);
    close(done[1]);
    if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
        rig_fail(errno, "cannot watch", folder);
    }
    *watchdog = (struct rig_watchdog){.alive = alive[1], .done = done[0]};
}

void rig_watchdog_finish(struct rig_watchdog *watchdog)
{
    char byte;
    close(watchdog->alive);
    while (read(watchdog->done, &byte, 1) < 0 && errno == EINTR) {
    }
    close(watchdog->done);
    watchdog->alive = watchdog->done = -1;
}

void rig_write_file(const struct rig_user *user, const char *path, const char *text,
                    const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL || fchmod(fileno(file), 0600) != 0 ||
        fchown(fileno(file), user->uid, user->gid) != 0 || fputs(text, file) < 0 ||
        fclose(file) != 0) {
        rig_fail(errno, "cannot write", path);
    }
}

void rig_set_password(char password[RIG_PASSWORD_SIZE])
{
    unsigned char bytes[(RIG_PASSWORD_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        rig_fail(errno, "getrandom", "");
    }
    for (size_t i = 0; i < sizeof(bytes); i++) {
        (void)snprintf(&password[2 * i], 3, "%02x", bytes[i]);
    }
    if (setenv("PGPASSWORD", password, 1) != 0) {
        rig_fail(errno, "setenv", "PGPASSWORD");
    }
}
