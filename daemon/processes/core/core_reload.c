#include "daemon/processes/core/core_reload.h"

#include "daemon/base/fd.h"
#include "daemon/processes/common/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn_program_check(struct core_reload *reload)
{
    posix_spawn_file_actions_t files;
    char **line = command_line_make(reload->args, "--check", NULL);
    int error = posix_spawn_file_actions_init(&files);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (error == 0) {
            error = posix_spawn_file_actions_adddup2(&files, reload->said, STDERR_FILENO);
        }
        if (error == 0) {
            error = posix_spawn(&reload->checker, reload->program, &files, NULL, line, environ);
        }
        (void)posix_spawn_file_actions_destroy(&files);
    }
    free(line);
    return error;
}

bool core_reload_start_check(struct core_reload *reload)
{
    if (reload->checker != 0) {
        return true;
    }
    reload->said = memfd_create("said", MFD_CLOEXEC);
    int error = reload->said < 0 ? errno : spawn_program_check(reload);
    if (error != 0) {
        reload->checker = 0;
        fd_close(reload->said);
        errno = error;
    }
    return error == 0;
}

/* Reads the error messages of the program that is checked, without the last newline. */
static void read_error_output(const struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX])
{
    static const char nothing[] = "the program cannot open a house, and does not say why";
    ssize_t len = pread(reload->said, why, CORE_RELOAD_WHY_MAX - 1, 0);
    while (len > 0 && why[len - 1] == '\n') {
        len--;
    }
    why[len > 0 ? len : 0] = '\0';
    if (len <= 0) {
        memcpy(why, nothing, sizeof nothing);
    }
}

enum core_reload_result core_reload_finish_check(struct core_reload *reload,
                                                 char why[CORE_RELOAD_WHY_MAX])
{
    int status = 0;
    pid_t ended = reload->checker == 0 ? 0 : waitpid(reload->checker, &status, WNOHANG);
    if (ended == 0) {
        return CORE_RELOAD_NONE;
    }
    bool is_good = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_good) {
        read_error_output(reload, why);
    }
    reload->checker = 0;
    close(reload->said);
    return is_good ? CORE_RELOAD_GOOD : CORE_RELOAD_REFUSED;
}

void core_reload_stop_check(struct core_reload *reload)
{
    if (reload->checker != 0) {
        kill(reload->checker, SIGKILL);
        waitpid(reload->checker, NULL, 0);
        close(reload->said);
        reload->checker = 0;
    }
}
