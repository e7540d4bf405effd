#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/house/say.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WHAT " what=\"" /* in a line of the log, before its sentence (log.h) */

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

/* Starts the check unless it is running. Returns false with the reason in `why`. */
static bool start_check(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX])
{
    if (reload->checker != 0 && clock_steady_ms() - reload->started_ms < CORE_RELOAD_CHECK_MS) {
        return true;
    }
    core_reload_stop_check(reload);
    reload->started_ms = clock_steady_ms();
    reload->said = memfd_create("said", MFD_CLOEXEC);
    int error = reload->said < 0 ? errno : spawn_program_check(reload);
    if (error != 0) {
        char reason[CORE_RELOAD_WHY_MAX];
        reload->checker = 0;
        fd_close(reload->said);
        (void)snprintf(reason, sizeof reason, "%s: %s", reload->program, strerror(error));
        text_clean_copy_whole_characters(reason, why, CORE_RELOAD_WHY_MAX);
    }
    return error == 0;
}

/* Copies what the check has said: the sentences of the log's lines, and all other lines. These may
 * contain any bytes of the settings, but JSON takes only whole characters. */
static void read_error_output(const struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX])
{
    char said[CORE_RELOAD_WHY_MAX];
    char reasons[CORE_RELOAD_WHY_MAX] = "";
    ssize_t got = pread(reload->said, said, sizeof said - 1, 0);
    said[got > 0 ? got : 0] = '\0';
    size_t len = 0;
    for (char *rest = said, *line; (line = strsep(&rest, "\n")) != NULL;) {
        const char *what = strstr(line, WHAT);
        size_t part = what != NULL ? strcspn(what + strlen(WHAT), "\"") : strlen(line);
        memmove(reasons + len, what != NULL ? what + strlen(WHAT) : line, part);
        len += part;
        reasons[len] = '\n';
        len += part > 0;
    }
    reasons[len > 0 ? len - 1 : 0] = '\0';
    text_clean_copy_whole_characters(reasons, why, CORE_RELOAD_WHY_MAX);
}

/* Returns the result of the check. */
static enum core_reload_result finish_check(struct core_reload *reload,
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
    if (!is_good && why[0] == '\0') {
        (void)snprintf(why, CORE_RELOAD_WHY_MAX, "%s",
                       WIFSIGNALED(status)
                           ? "the check of the program and of its settings died or took too long"
                           : "the program cannot open a house, and does not say why");
    }
    reload->checker = 0;
    close(reload->said);
    return is_good ? CORE_RELOAD_GOOD : CORE_RELOAD_REFUSED;
}

void core_reload_signal_supervisor(int signal_number)
{
    kill(getppid(), signal_number);
}

/* Has the supervisor reload the house, or logs why not. Returns `result`. */
static enum core_reload_result act_on(enum core_reload_result result, const char *why)
{
    if (result == CORE_RELOAD_GOOD) {
        core_reload_signal_supervisor(SIGUSR1);
    } else if (result == CORE_RELOAD_REFUSED) {
        log_event(LOG_LEVEL_ERROR, 0, "the reload is refused: %s", why);
    }
    return result;
}

enum core_reload_result core_reload_order(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX])
{
    return act_on(reload->program == NULL    ? CORE_RELOAD_GOOD
                  : start_check(reload, why) ? CORE_RELOAD_NONE
                                             : CORE_RELOAD_REFUSED,
                  why);
}

enum core_reload_result core_reload_finish_check(struct core_reload *reload,
                                                 char why[CORE_RELOAD_WHY_MAX])
{
    return act_on(finish_check(reload, why), why);
}

bool core_reload_check(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX])
{
    if (!start_check(reload, why)) {
        return false;
    }
    int process = fd_open_process(reload->checker);
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (process < 0 || poll(&end, 1, CORE_RELOAD_CHECK_MS) != 1) {
        kill(reload->checker, SIGKILL);
    }
    fd_close(process);
    enum core_reload_result result;
    while ((result = finish_check(reload, why)) == CORE_RELOAD_NONE) {
        (void)waitid(P_PID, (id_t)reload->checker, &(siginfo_t){0}, WEXITED | WNOWAIT);
    }
    return result == CORE_RELOAD_GOOD;
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

#define BEATS 4 /* signs of life within the time after which a silent core counts as hanging */
#define MS_PER_S 1000

int64_t core_life_silence_limit_ms(const struct config *config)
{
    int64_t limit_ms = (int64_t)config->limits_core_silence_s * MS_PER_S;
    int64_t lease_ms = (int64_t)config->cluster_lease_s * MS_PER_S;
    return config->storage_url[0] == '\0' || limit_ms < lease_ms ? limit_ms : lease_ms - MS_PER_S;
}

/* Sends a byte to the supervisor, which reads everything that has arrived. */
static void send_sign_of_life(int ready_fd, UNUSED short events, void *context)
{
    struct core *core = context;
    if (write(ready_fd, &core->sign, 1) != 1 && errno != EAGAIN) {
        /* the supervisor has executed a newer program, and will replace this core */
        event_del(core->beat);
    }
}

static void begin_signs_of_life(struct core *core, const struct core_setup *setup)
{
    if (core->beat == NULL) {
        core->beat =
            loop_make_event(core->base, setup->ready_fd, EV_PERSIST, send_sign_of_life, core);
    }
    loop_begin_ms(core->beat, core_life_silence_limit_ms(setup->config) / BEATS);
}

static void report(struct core *core, const struct core_setup *setup, char sign)
{
    if (setup->ready_fd < 0 || (core->is_ready && core->sign == sign)) {
        return;
    }
    core->is_ready = true;
    core->sign = sign;
    if (write(setup->ready_fd, &sign, 1) != 1) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core is ready");
    }
    if (setup->config->limits_core_silence_s != 0) { /* 0: nobody watches whether the core hangs */
        begin_signs_of_life(core, setup);
    }
}

void core_life_report_ready(struct core *core, const struct core_setup *setup)
{
    report(core, setup, '\0');
}

void core_life_report_waiting(struct core *core, const struct core_setup *setup)
{
    report(core, setup, CORE_IS_WAITING);
}

void core_life_begin_loading(struct core *core, const struct core_setup *setup)
{
    static const char loading[] = {CORE_IS_LOADING};
    if (core->beat == NULL) {
        return;
    }
    core->is_ready = false;
    event_del(core->beat);
    if (write(setup->ready_fd, loading, sizeof loading) != sizeof loading) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core loads the data");
    }
}
