#include "daemon/processes/crew.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/packet.h"
#include "daemon/processes/child.h"
#include "daemon/processes/control_socket.h"
#include "daemon/processes/crew_image.h"
#include "daemon/processes/data_dir.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/gate/gate_settings.h"
#include "daemon/processes/workers/auth.h"
#include "daemon/processes/workers/bot.h"
#include "daemon/processes/workers/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BOTS_MAX 4

#define QUICK_MS 1000 /* a process that dies within this time after its start has died quickly */
#define QUICK_DEATHS_MAX 8 /* number of quick deaths in succession after which the house gives up  \
                            */
#define PAUSE_FIRST_MS 100 /* pause before a restart; doubles with each further quick death */
#define CORE_STOP_MS 5000  /* time for the core to say goodbye and close the data */
#define GATE_STOP_MS 4000
#define WORKER_STOP_MS 1000

enum {
    CORE,
    GATE,
    WORKERS, /* index of the first worker */
};

static int run_core(const void *context)
{
    return core_run(context);
}

static int run_gate(const void *context)
{
    return gate_run(context);
}

static int run_auth(const void *context)
{
    return auth_run(*(const int *)context);
}

static int run_bot(const void *context)
{
    return bot_run(*(const int *)context);
}

static int run_hook(const void *context)
{
    return hook_run(context);
}

static void add_member(struct crew *crew, const char *name, int (*run)(const void *context))
{
    crew->members[crew->count++] =
        (struct crew_member){.name = name, .run = run, .core_end = -1, .own_end = -1, .ready = -1};
}

/* Makes a socket pair with the core for every other process. */
static bool make_pairs(struct crew *crew)
{
    for (unsigned i = GATE; i < crew->count; i++) {
        struct crew_member *member = &crew->members[i];
        int ends[2];
        if (member->is_resumed) {
            continue;
        }
        if (packet_pair(ends) != 0) {
            return false;
        }
        member->core_end = ends[0];
        member->own_end = ends[1];
    }
    return true;
}

static unsigned bot_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > BOTS_MAX ? BOTS_MAX : (unsigned)cores;
}

static struct ports ports_configured(const struct config *config)
{
    return (struct ports){
        .ssh = (uint16_t)config->listen_ssh_port,
        .telnet = config->listen_telnet ? (uint16_t)config->listen_telnet_port : 0,
    };
}

/* Lists the processes, which get their sockets later. */
static void make_crew(struct crew *crew, const struct supervisor_setup *setup,
                      const struct data_dir *dir, const struct crew_paths *paths)
{
    *crew = (struct crew){.setup = setup,
                          .dir = dir,
                          .paths = *paths,
                          .control = -1,
                          .settings = -1,
                          .ports = ports_configured(setup->config)};
    add_member(crew, "core", run_core);
    add_member(crew, "gate", run_gate);
    for (unsigned i = 0; i < setup->config->limits_password_workers; i++) {
        add_member(crew, "auth", run_auth);
    }
    for (unsigned i = 0; i < bot_count(); i++) {
        add_member(crew, "bot", run_bot);
    }
    if (setup->config->webhook_enabled) {
        add_member(crew, "hook", run_hook);
    }
}

bool crew_open(struct crew *crew, const struct supervisor_setup *setup, const struct data_dir *dir,
               const struct crew_paths *paths)
{
    make_crew(crew, setup, dir, paths);
    crew->control = control_socket_listen(dir->path);
    crew->settings = gate_settings_make();
    randombytes_buf(crew->answers_key, sizeof crew->answers_key);
    return crew->control >= 0 && crew->settings >= 0 && make_pairs(crew);
}

bool crew_resume(struct crew *crew, const struct supervisor_setup *setup,
                 const struct data_dir *dir, const struct crew_paths *paths, json_t *image)
{
    make_crew(crew, setup, dir, paths);
    return crew_image_take(crew, image) && make_pairs(crew);
}

static void make_way(struct crew_member *member, int signal_number)
{
    if (member->pid > 0) {
        member->is_leaving = true;
        kill(member->pid, signal_number);
    }
}

void crew_replace(struct crew *crew)
{
    crew->is_replacing = true;
    crew->members[CORE].is_ready = false;
    make_way(&crew->members[CORE], SIGUSR1);
}

/* Replaces the gate and the workers: the core now runs this program. */
static void replace_others(struct crew *crew)
{
    crew->is_replacing = false;
    if (!gate_settings_write(crew->settings, crew->setup->program, crew->setup->config)) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate keeps its settings: %s", strerror(errno));
    } else if (crew->members[GATE].pid > 0) {
        kill(crew->members[GATE].pid,
             SIGUSR1); /* the gate executes the new program as the same process */
    }
    for (unsigned i = WORKERS; i < crew->count; i++) {
        make_way(&crew->members[i], SIGTERM);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "reloaded", LOG_PAIRS("version", TRICKHOUSE_VERSION));
}

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

void crew_close(struct crew *crew)
{
    close_end(&crew->control);
    close_end(&crew->settings);
    for (unsigned i = 0; i < crew->count; i++) {
        close_end(&crew->members[i].core_end);
        close_end(&crew->members[i].own_end);
        close_end(&crew->members[i].ready);
    }
}

static enum core_worker worker_kind(const struct crew_member *member)
{
    return member->run == run_auth   ? CORE_WORKER_AUTH
           : member->run == run_hook ? CORE_WORKER_HOOK
                                     : CORE_WORKER_BOT;
}

static struct core_setup core_setup_of(const struct crew *crew, int ready_fd)
{
    struct core_setup setup = {
        .database = crew->paths.database,
        .backups = crew->paths.backups,
        .program = crew->setup->program,
        .args = crew->setup->args,
        .control_socket = crew->control,
        .config = crew->setup->config,
        .ready_fd = ready_fd,
        .gate_socket = crew->members[GATE].core_end,
        .answers_key = crew->answers_key,
    };
    for (unsigned i = WORKERS; i < crew->count; i++) {
        const struct crew_member *member = &crew->members[i];
        setup.workers[setup.worker_count].socket = member->core_end;
        setup.workers[setup.worker_count].kind = worker_kind(member);
        setup.worker_count++;
    }
    return setup;
}

static struct gate_setup gate_setup_of(const struct crew *crew, int64_t first_conn, int ready_fd)
{
    return (struct gate_setup){
        .core_socket = crew->members[GATE].own_end,
        .ready_fd = ready_fd,
        .settings = crew->settings,
        .host_key = crew->paths.host_key,
        .ports = crew->ports,
        .is_renewable = true,
        .first_conn = first_conn,
        .config = crew->setup->config,
    };
}

static struct hook_setup hook_setup_of(const struct crew *crew, const struct crew_member *member)
{
    const struct config *config = crew->setup->config;
    return (struct hook_setup){
        .core_socket = member->own_end,
        .user = HOOK_USER,
        .ca_file = config->webhook_ca_file,
        .rules = {.is_http_allowed = config->webhook_http,
                  .is_private_allowed = config->webhook_private,
                  .timeout_ms = config->webhook_timeout_ms},
    };
}

static void keep(struct child_plan *plan, int fd)
{
    if (fd >= 0) {
        plan->keep[plan->keep_count++] = fd;
    }
}

static pid_t fork_member(const struct crew *crew, const struct crew_member *member, int ready_fd)
{
    int64_t first_conn = 0;
    if (member->run == run_gate &&
        !data_dir_take_numbers(crew->dir, clock_unix_ms(), &first_conn)) {
        return -1;
    }
    struct core_setup core = core_setup_of(crew, ready_fd);
    struct gate_setup gate = gate_setup_of(crew, first_conn, ready_fd);
    struct hook_setup hook = hook_setup_of(crew, member);
    struct child_plan plan = {
        .name = member->name,
        .group = member->group,
        .reach = REACH_NOTHING,
        .run = member->run,
        .context = &member->own_end,
    };
    keep(&plan, ready_fd);
    keep(&plan, member->own_end);
    if (member->run == run_core) {
        plan.context = &core;
        plan.reach = REACH_MACHINE; /* the core starts the program that checks a backup */
        keep(&plan, crew->control);
        for (unsigned i = GATE; i < crew->count; i++) {
            keep(&plan, crew->members[i].core_end);
        }
    } else if (member->run == run_gate) {
        plan.context = &gate;
        keep(&plan, crew->settings);
        plan.reach = REACH_ALL; /* the gate restricts its sessions one by one */
    } else if (member->run == run_hook) {
        plan.context = &hook;
        plan.reach = REACH_NETWORK;
    }
    return child_fork(&plan);
}

static bool says_ready(const struct crew_member *member)
{
    return member->run == run_core || member->run == run_gate;
}

static void start(struct crew *crew, struct crew_member *member)
{
    int ready[2] = {-1, -1};
    close_end(&member->ready);
    member->started_ms = clock_steady_ms();
    if (says_ready(member) && pipe2(ready, O_CLOEXEC | O_NONBLOCK) != 0) {
        member->pid = -1;
    } else {
        member->pid = fork_member(crew, member, ready[1]);
    }
    close_end(&ready[1]);
    if (member->pid < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot start %s: %s", member->name, strerror(errno));
        close_end(&ready[0]);
        member->pid = 0;
        member->due_ms = member->started_ms + QUICK_MS;
        return;
    }
    log_pairs(LOG_LEVEL_INFO, 0, "start",
              LOG_PAIRS("process", member->name, "pid", LOG_NUMBER(member->pid)));
    member->ready = ready[0];
    if (member->group == 0 || setpgid(member->pid, member->group) != 0) {
        member->group = member->pid;
        setpgid(member->pid, member->pid); /* fails if the child has already done this itself */
    }
}

void crew_start_due(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++) {
        struct crew_member *member = &crew->members[i];
        if (member->pid == 0 && member->due_ms <= clock_steady_ms()) {
            start(crew, member);
        }
    }
}

int crew_wait_ms(const struct crew *crew)
{
    int64_t now_ms = clock_steady_ms();
    int64_t wait_ms = -1;
    for (unsigned i = 0; i < crew->count; i++) {
        const struct crew_member *member = &crew->members[i];
        if (member->pid == 0) {
            int64_t own_ms = member->due_ms > now_ms ? member->due_ms - now_ms : 0;
            wait_ms = wait_ms < 0 || own_ms < wait_ms ? own_ms : wait_ms;
        }
    }
    return wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}

static void log_death(const struct crew_member *member, int status)
{
    bool is_signal = WIFSIGNALED(status);
    log_pairs(LOG_LEVEL_WARN, 0, "died",
              LOG_PAIRS("process", member->name, "pid", LOG_NUMBER(member->pid),
                        is_signal ? "signal" : "status",
                        LOG_NUMBER(is_signal ? WTERMSIG(status) : WEXITSTATUS(status))));
}

static bool note_death(struct crew_member *member, int status)
{
    int64_t now_ms = clock_steady_ms();
    bool is_expected = member->is_leaving;
    if (!is_expected) {
        log_death(member, status);
    }
    member->pid = 0;
    member->due_ms = now_ms;
    member->is_leaving = false;
    if (is_expected) {
        return true;
    }
    if (says_ready(member) && !member->is_ready) {
        return false;
    }
    if (now_ms - member->started_ms >= QUICK_MS) {
        member->quick_deaths = 0;
        return true;
    }
    member->quick_deaths++;
    if (member->quick_deaths > 1) {
        member->due_ms += PAUSE_FIRST_MS << (member->quick_deaths - 2);
    }
    if (member->quick_deaths >= QUICK_DEATHS_MAX) {
        log_event(LOG_LEVEL_ERROR, 0, "%s died %u times within a second of its start", member->name,
                  member->quick_deaths);
        return false;
    }
    return true;
}

static struct crew_member *find_member(struct crew *crew, pid_t pid)
{
    for (unsigned i = 0; i < crew->count; i++) {
        if (crew->members[i].pid == pid) {
            return &crew->members[i];
        }
    }
    return NULL;
}

bool crew_reap(struct crew *crew)
{
    bool is_of_use = true;
    pid_t pid;
    int status;
    crew_read_ready(crew); /* it may have reported readiness before its death */
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct crew_member *member = find_member(crew, pid);
        if (member != NULL && !note_death(member, status)) {
            is_of_use = false;
        }
        if (member == NULL && WIFSIGNALED(status)) { /* a session that outlived its gate */
            log_pairs(LOG_LEVEL_WARN, 0, "died",
                      LOG_PAIRS("process", "session", "pid", LOG_NUMBER(pid), "signal",
                                LOG_NUMBER(WTERMSIG(status))));
        }
    }
    return is_of_use;
}

void crew_read_ready(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++) {
        struct crew_member *member = &crew->members[i];
        char text[PORTS_TEXT_MAX];
        ssize_t got = member->ready >= 0 ? read(member->ready, text, sizeof text - 1) : -1;
        if (got < 0) {
            continue;
        }
        close_end(&member->ready);
        member->is_ready = member->is_ready || got > 0;
        if (got > 0 && member->run == run_core && crew->is_replacing) {
            replace_others(crew);
        }
        if (got > 0 && member->run == run_gate) {
            text[got] = '\0';
            crew->ports = ports_read(text);
        }
    }
}

bool crew_is_ready(const struct crew *crew)
{
    return crew->members[CORE].is_ready && crew->members[GATE].is_ready;
}

/* Waits until a child dies or the deadline passes; returns false at the deadline. */
static bool wait_for_child(int64_t deadline_ms)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int64_t left_ms = deadline_ms - clock_steady_ms();
    if (left_ms <= 0) {
        return false;
    }
    const struct timespec wait = {.tv_sec = left_ms / 1000, .tv_nsec = left_ms % 1000 * 1000000};
    return sigtimedwait(&child, NULL, &wait) >= 0 || errno == EINTR;
}

static void reap_quietly(struct crew *crew)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        struct crew_member *member = find_member(crew, pid);
        if (member != NULL) {
            member->pid = 0;
        }
    }
}

/* Kills sessions that outlived their gate: they must not outlive the house. They are children of
 * the supervisor, which is a subreaper. waitid checks that they exist, because the number of an
 * empty group may have been reused. */
static void end_group(pid_t group)
{
    siginfo_t info;
    if (group <= 0 || waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return;
    }
    kill(-group, SIGKILL);
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR) {
    }
}

static void stop_member(struct crew *crew, struct crew_member *member, int64_t patience_ms)
{
    int64_t deadline_ms = clock_steady_ms() + patience_ms;
    reap_quietly(crew);
    if (member->pid > 0) {
        kill(member->pid, SIGTERM);
    }
    while (member->pid > 0 && wait_for_child(deadline_ms)) {
        reap_quietly(crew);
    }
    if (member->pid > 0) {
        log_event(LOG_LEVEL_WARN, 0, "%s %ld did not end and is killed", member->name,
                  (long)member->pid);
        kill(member->pid, SIGKILL);
        waitpid(member->pid, NULL, 0);
        member->pid = 0;
    }
    end_group(member->group);
}

void crew_stop(struct crew *crew)
{
    static const int64_t patience_ms[] = {[CORE] = CORE_STOP_MS, [GATE] = GATE_STOP_MS};
    for (unsigned i = 0; i < crew->count; i++) {
        stop_member(crew, &crew->members[i], i < WORKERS ? patience_ms[i] : WORKER_STOP_MS);
    }
}
