#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"
#include "storage/upkeep/upkeep.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WHAT " what=\"" /* in a line of the log, before its sentence (base.h) */

/* Starts a program whose standard input is empty; `said` becomes its standard error, -1: it has
 * that of this process. Returns 0 or an errno. */
static int spawn_program(pid_t *pid, const char *program, char **line, int said, char **environment)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (error == 0 && said >= 0) {
            error = posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
        }
        if (error == 0) {
            error = posix_spawn(pid, program, &files, NULL, line, environment);
        }
        (void)posix_spawn_file_actions_destroy(&files);
    }
    return error;
}

static int spawn_program_check(struct core_reload *reload)
{
    char **line = command_line_make(reload->args, "--check", NULL);
    int error = spawn_program(&reload->checker, reload->program, line, reload->said, environ);
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

/* Sends a signal to the supervisor. It is the parent, perhaps process 1 of a container: this
 * process dies with it (processes/processes.h). */
static void core_reload_signal_supervisor(int signal_number)
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

static void begin_signs_of_life(struct core *core)
{
    const struct core_setup *setup = core->setup;
    if (core->beat == NULL) {
        core->beat =
            loop_make_event(core->base, setup->ready_fd, EV_PERSIST, send_sign_of_life, core);
    }
    loop_begin_ms(core->beat, core_life_silence_limit_ms(setup->config) / BEATS);
}

void core_life_report(struct core *core, char sign)
{
    const struct core_setup *setup = core->setup;
    if (setup->ready_fd < 0 || (core->is_ready && core->sign == sign)) {
        return;
    }
    core->is_ready = true;
    core->sign = sign;
    if (write(setup->ready_fd, &sign, 1) != 1) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core is ready");
    }
    if (setup->config->limits_core_silence_s != 0) { /* 0: nobody watches whether the core hangs */
        begin_signs_of_life(core);
    }
}

/* Database pages per step of a backup: half a MiB, whose copy takes well under a millisecond. */
#define STEP_PAGES 128

#define STEP_MS 10 /* pause between two steps of a backup, in which the core serves people */

enum keeper_state {
    KEEPER_IDLE,
    KEEPER_COPYING,
    KEEPER_CHECKING,
};

struct keeper {
    struct core *core;
    struct event *step; /* timer for the next step of a backup */
    struct event *child;
    enum keeper_state state;
    char refused[CORE_RELOAD_WHY_MAX]; /* why a reload was refused, kept until the house is told; ""
                                          if there is nothing to tell */
    struct storage_backup *backup;
    pid_t checker;
    int64_t wanted; /* number of the next backup; 0 if no backup is due */
    int64_t job;
    char *path;
    char *partial;
};

/* Does nothing. The event that calls this wakes the core's loop, which then calls
 * keeper_do_due_steps. */
static void wake_core_loop(UNUSED int socket, UNUSED short events, UNUSED void *context)
{
}

static void send_to_house(struct keeper *keeper, json_t *message)
{
    char *json = must_format_json(message);
    struct core *core = keeper->core;
    core_abort_unless_written(
        core, house_receive(core->house, clock_unix_ms(), CORE_CONN_KEEPER, json, strlen(json)));
    free(json);
}

static void clear_backup_state(struct keeper *keeper)
{
    free(keeper->path);
    free(keeper->partial);
    keeper->path = NULL;
    keeper->partial = NULL;
    keeper->state = KEEPER_IDLE;
}

static void report_failed_backup(struct keeper *keeper, const char *why)
{
    log_event(LOG_LEVEL_ERROR, 0, "%s", why);
    if (keeper->partial != NULL && unlink(keeper->partial) != 0 && errno != ENOENT) {
        log_event(LOG_LEVEL_WARN, 0, "%s stays: %s", keeper->partial, strerror(errno));
    }
    clear_backup_state(keeper);
    send_to_house(keeper, json_pack("{s:s, s:I, s:o}", "t", "backed_up", "job",
                                    (json_int_t)keeper->job, "why", text_clean_to_json(why)));
}

static void report_failed_backup_step(struct keeper *keeper, const char *what)
{
    char why[STORAGE_WHY_SIZE];
    (void)snprintf(why, sizeof why, "the backup failed: %s: %s", what, strerror(errno));
    report_failed_backup(keeper, why);
}

static void begin_backup(struct keeper *keeper)
{
    const char *folder = keeper->core->setup->backups;
    char name[BACKUPS_NAME_MAX];
    char why[STORAGE_WHY_SIZE];
    if (folder == NULL) {
        report_failed_backup(keeper, "the backup failed: this house has no folder for backups");
        return;
    }
    if (!backups_dir_make(folder)) {
        report_failed_backup_step(keeper, folder);
        return;
    }
    backups_dir_write_name(folder, clock_unix_ms(), name);
    if (asprintf(&keeper->path, "%s/%s", folder, name) < 0 ||
        asprintf(&keeper->partial, "%s/house.partial", folder) < 0) {
        abort(); /* out of memory */
    }
    if (storage_backup_begin(keeper->core->storage, keeper->partial, &keeper->backup, why) !=
        STORAGE_OK) {
        report_failed_backup(keeper, why);
        return;
    }
    keeper->state = KEEPER_COPYING;
    loop_begin_ms(keeper->step, STEP_MS);
}

static void handle_reload_request(struct keeper *keeper, UNUSED const json_t *message)
{
    (void)core_reload_order(&keeper->core->reload, keeper->refused);
}

/* If the check before a reload has failed, tells the house the reason, and returns true. */
static bool finish_reload_check(struct keeper *keeper)
{
    (void)core_reload_finish_check(&keeper->core->reload, keeper->refused);
    if (keeper->refused[0] == '\0') {
        return false;
    }
    send_to_house(keeper, json_pack("{s:s, s:s}", "t", "reload_refused", "why", keeper->refused));
    keeper->refused[0] = '\0';
    return true;
}

static void handle_backup_request(struct keeper *keeper, const json_t *message)
{
    int64_t job;
    if (json_read_number(message, "job", 1, INT64_MAX, &job)) {
        /* start the backup later: the house is still handing out its messages */
        keeper->wanted = job;
    }
}

static void handle_close_request(UNUSED struct keeper *keeper, UNUSED const json_t *message)
{
    core_reload_signal_supervisor(SIGTERM);
}

void keeper_receive(struct keeper *keeper, const char *json, size_t len)
{
    static const struct {
        const char *type;
        void (*take)(struct keeper *keeper, const json_t *message);
    } pushes[] = {
        {"backup", handle_backup_request},
        {"close", handle_close_request},
        {"reload", handle_reload_request},
    };
    json_t *message = json_read_object(json, len);
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, json_read_type(message)) == 0) {
            pushes[i].take(keeper, message);
        }
    }
    json_decref(message);
}

/* Starts a process that checks the copy: a check reads the whole file, which takes long. */
static void start_backup_checker(struct keeper *keeper)
{
    char program[] = "trickhouse";
    char command[] = "check-data";
    char option[] = "--backup";
    char *arguments[] = {program, command, option, keeper->partial, NULL};
    char *environment[] = {NULL};
    int error = spawn_program(&keeper->checker, "/proc/self/exe", arguments, -1, environment);
    if (error != 0) {
        errno = error;
        report_failed_backup_step(keeper, "check");
        return;
    }
    (void)setpriority(PRIO_PROCESS, (id_t)keeper->checker,
                      19); /* lowest priority: players come first */
    keeper->state = KEEPER_CHECKING;
}

static bool copy_next_database_pages(struct keeper *keeper)
{
    char why[STORAGE_WHY_SIZE];
    bool is_done = false;
    if (storage_backup_step(keeper->backup, STEP_PAGES, &is_done, why) == STORAGE_OK && !is_done) {
        loop_begin_ms(keeper->step, STEP_MS);
        return false;
    }
    struct storage_backup *backup = keeper->backup;
    keeper->backup = NULL;
    if (storage_backup_end(backup, why) != STORAGE_OK) {
        report_failed_backup(keeper, why);
        return true;
    }
    start_backup_checker(keeper);
    return keeper->state == KEEPER_IDLE;
}

static void install_backup_copy(struct keeper *keeper)
{
    char why[STORAGE_WHY_SIZE];
    if (storage_backup_rename(keeper->partial, keeper->path, why) != STORAGE_OK) {
        report_failed_backup(keeper, why);
        return;
    }
    if (backups_dir_remove_oldest(keeper->core->setup->backups,
                                  keeper->core->setup->config->backup_keep) < 0) {
        log_event(LOG_LEVEL_WARN, 0, "old backups cannot be removed: %s", strerror(errno));
    }
    log_event(LOG_LEVEL_INFO, 0, "backed up to %s", keeper->path);
    json_t *message = json_pack("{s:s, s:I, s:o}", "t", "backed_up", "job", (json_int_t)keeper->job,
                                "path", text_clean_to_json(keeper->path));
    clear_backup_state(keeper);
    send_to_house(keeper, message);
}

static bool read_backup_check_result(struct keeper *keeper)
{
    int status;
    pid_t ended = waitpid(keeper->checker, &status, WNOHANG);
    if (ended == 0) {
        return false; /* the check is still running: another child has ended */
    }
    keeper->checker = 0;
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        install_backup_copy(keeper);
    } else {
        report_failed_backup(keeper, "the backup failed: the copy does not pass its check");
    }
    return true;
}

bool keeper_do_due_steps(struct keeper *keeper)
{
    if (finish_reload_check(keeper)) {
        return true;
    }
    switch (keeper->state) {
    case KEEPER_IDLE:
        if (keeper->wanted == 0) {
            return false;
        }
        keeper->job = keeper->wanted;
        keeper->wanted = 0;
        begin_backup(keeper);
        return keeper->state == KEEPER_IDLE;
    case KEEPER_COPYING:
        return event_pending(keeper->step, EV_TIMEOUT, NULL) == 0 &&
               copy_next_database_pages(keeper);
    case KEEPER_CHECKING:
        return read_backup_check_result(keeper);
    }
    return false;
}

struct keeper *keeper_new(struct core *core)
{
    char hello[64];
    int len = snprintf(hello, sizeof hello, "{\"t\":\"hello\",\"protocol\":%d}", PROTOCOL_NUMBER);
    struct keeper *keeper = must_allocate(sizeof *keeper);
    keeper->core = core;
    keeper->step = loop_make_event(core->base, -1, 0, wake_core_loop, NULL);
    keeper->child = loop_watch(core->base, SIGCHLD, EV_SIGNAL | EV_PERSIST, wake_core_loop, NULL);
    core_abort_unless_written(
        core, house_connect(core->house, clock_unix_ms(), CORE_CONN_KEEPER, PEER_KEEPER, "", ""));
    core_abort_unless_written(
        core, house_receive(core->house, clock_unix_ms(), CORE_CONN_KEEPER, hello, (size_t)len));
    return keeper;
}

void keeper_free(struct keeper *keeper)
{
    char why[STORAGE_WHY_SIZE];
    if (keeper == NULL) {
        return;
    }
    if (storage_backup_end(keeper->backup, why) != STORAGE_OK) {
        log_event(LOG_LEVEL_WARN, 0, "%s", why);
    }
    core_reload_stop_check(&keeper->core->reload);
    event_free(keeper->step);
    event_free(keeper->child);
    clear_backup_state(keeper);
    free(keeper);
}
