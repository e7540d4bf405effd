#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* The end of a house: all its processes are told to end, or are killed; and that of a process that
 * hangs. */

#define CORE_STOP_MS 5000 /* time for the core to say goodbye and close the data */
#define GATE_STOP_MS 4000
#define WORKER_STOP_MS 1000
#define BRIDGE_SILENT_MS 5000
#define COUNTED_MS 2000 /* most that the time since the last look counts */

/* Waits until a child dies or the deadline passes; returns false at the deadline. */
static bool wait_for_child_death(int64_t deadline_ms)
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

static void reap_without_logging(struct processes *processes)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        struct process *process = processes_find_by_pid(processes, pid);
        if (process != NULL) {
            process->pid = 0;
        }
    }
}

/* Kills sessions that outlived their gate, because no session may outlive the house. Such sessions
 * are children of the supervisor, which is a subreaper. If no session is left, the system may have
 * reused the number of their process group for other processes, so waitid first checks that a
 * session is left. */
static void kill_process_group(pid_t group)
{
    siginfo_t info;
    if (group <= 0 || waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return;
    }
    kill(-group, SIGKILL);
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR) {
    }
}

static void stop_process(struct processes *processes, struct process *process, int64_t patience_ms)
{
    int64_t deadline_ms = clock_steady_ms() + patience_ms;
    reap_without_logging(processes);
    if (process->pid > 0) {
        kill(process->pid, SIGTERM);
    }
    while (process->pid > 0 && wait_for_child_death(deadline_ms)) {
        reap_without_logging(processes);
    }
    if (process->pid > 0) {
        log_event(LOG_LEVEL_WARN, 0, "%s %ld did not end and is killed", process->name,
                  (long)process->pid);
        kill(process->pid, SIGKILL);
        waitpid(process->pid, NULL, 0);
        process->pid = 0;
    }
    kill_process_group(process->group);
}

/* Ends all processes, one after the other; returns when none is left. SIGCHLD must be blocked. */
static void processes_stop(struct processes *processes)
{
    static const int64_t patience_ms[] = {
        [PROCESS_CORE] = CORE_STOP_MS, [PROCESS_GATE] = GATE_STOP_MS};
    const struct process *gate = &processes->list[PROCESS_GATE];
    if (gate->pid > 0 && gate->is_ready) {
        /* lets nobody enter who would only be sent away: new connections wait in the sockets of
         * systemd for the next house, or are refused */
        kill(gate->pid, SIGUSR2);
    }
    for (unsigned i = 0; i < processes->count; i++) {
        stop_process(processes, &processes->list[i],
                     i < PROCESS_WORKERS ? patience_ms[i] : WORKER_STOP_MS);
    }
}

/* Returns how long the process may give no sign of life; 0: for ever. A core that still loads its
 * data may take long. Other nodes wait for a bridge, whose work never takes long. */
static int64_t find_silence_limit_ms(const struct processes *processes, unsigned index)
{
    const struct process *process = &processes->list[index];
    if (process->pid <= 0) {
        return 0;
    }
    if (index == PROCESS_CORE) {
        bool is_watched = process->is_leaving ||
                          (process->has_reported && !process->is_loading && process->ready >= 0);
        return is_watched ? core_life_silence_limit_ms(processes->setup->config) : 0;
    }
    bool is_bridge = strcmp(process->name, "bridge") == 0;
    return is_bridge && processes->metrics.page != NULL ? BRIDGE_SILENT_MS : 0;
}

static void end_if_hanging(struct processes *processes, unsigned index, int64_t waited_ms)
{
    struct process *process = &processes->list[index];
    int64_t limit_ms = find_silence_limit_ms(processes, index);
    int64_t seen_ms = life_get_seen_ms(&processes->metrics, LIFE_FIRST + index);
    if (index != PROCESS_CORE && seen_ms != process->seen_ms) {
        process->silent_ms = 0;
        process->seen_ms = seen_ms;
    }
    if (limit_ms == 0) {
        return;
    }
    /* If this process was stopped too, the other may have had no time to report. */
    process->silent_ms += waited_ms < COUNTED_MS ? waited_ms : COUNTED_MS;
    if (process->silent_ms >= limit_ms) {
        log_pairs(LOG_LEVEL_ERROR, 0, "hangs",
                  LOG_PAIRS("process", process->name, "pid", LOG_NUMBER(process->pid), "silent_ms",
                            LOG_NUMBER(process->silent_ms)));
        process->silent_ms = 0;
        kill(process->pid, SIGKILL);
    }
}

/* Ends processes that hang with SIGKILL: the core if it has reported nothing for
 * core_life_silence_limit_ms, or does not make room for its successor in that time, and a bridge
 * that gives no signs of life. `waited_ms` is the time since the last call; call
 * processes_read_readiness first. */
static void processes_end_hanging(struct processes *processes, int64_t waited_ms)
{
    for (unsigned i = 0; i < processes->count; i++) {
        end_if_hanging(processes, i, waited_ms);
    }
}

#define NUMBER_MAX 16

static void set_kept_across_exec(int lock, int log_input, int log_stream, bool is_kept)
{
    image_set_kept_across_exec(lock, is_kept);
    image_set_kept_across_exec(log_input, is_kept);
    image_set_kept_across_exec(log_stream, is_kept);
}

/*
 * Reloads the house: the supervisor executes its program again, or a newer one installed at the
 * same path. The arguments are the same as before (`serve` and its options), and `--resume N`,
 * where N is the descriptor of the supervisor's image. Before that, the supervisor runs the program
 * with `--check`, so that bad settings do not end a running house. Returns only if nothing has
 * changed; the reason is then on the log.
 */
static void reload_run(const struct supervisor_setup *setup, const struct data_dir *dir,
                       const struct processes *processes, const struct log_writer *log)
{
    struct core_reload check = {.program = setup->program, .args = setup->args};
    char why[CORE_RELOAD_WHY_MAX] = "this house has no program to execute";
    if (setup->program == NULL || !core_reload_check(&check, why)) {
        log_event(LOG_LEVEL_ERROR, 0, "the reload is refused, and nothing has changed: %s", why);
        return;
    }
    int log_input = log->pid != 0 ? log->setup.input : -1;
    int log_stream = log->pid != 0 ? log->setup.stream : -1;
    int image_fd = image_save_to_memory_file(json_pack(
        "{s:i, s:o, s:i, s:i, s:i}", "lock", dir->lock, "crew", processes_image_make(processes),
        "log_input", log_input, "log_pid", (int)log->pid, "log_stream", log_stream));
    if (image_fd < 0) {
        log_failure("the reload failed");
        return;
    }
    char number[NUMBER_MAX];
    (void)snprintf(number, sizeof number, "%d", image_fd);
    char **line = command_line_make(setup->args, "--resume", number);
    processes_image_set_kept_across_exec(processes, true);
    set_kept_across_exec(dir->lock, log_input, log_stream, true);
    log_pairs(LOG_LEVEL_INFO, 0, "reloading", LOG_PAIRS("program", setup->program));
    execv(setup->program, line);
    log_failure("the reload failed");
    free(line);
    processes_image_set_kept_across_exec(processes, false);
    set_kept_across_exec(dir->lock, log_input, log_stream, false);
    close(image_fd);
}

/* Reads the image after the exec. Returns false if the file does not contain an image. */
static bool reload_read_image(int image_fd, struct reload_image *contents)
{
    json_t *root = image_load_and_close(image_fd);
    /* images of older programs lack the optional members */
    int log_pid = 0;
    contents->log_input = -1;
    contents->log_stream = -1;
    bool is_read = json_unpack(root, "{s:i, s:O, s?i, s?i, s?i}", "lock", &contents->lock, "crew",
                               &contents->processes, "log_input", &contents->log_input, "log_pid",
                               &log_pid, "log_stream", &contents->log_stream) == 0;
    contents->log_pid = log_pid;
    json_decref(root);
    if (is_read) {
        set_kept_across_exec(contents->lock, contents->log_input, contents->log_stream, false);
    }
    return is_read;
}

#define RUNNING (-1) /* the exit status is not known yet: the house stays open */

struct supervisor {
    const struct supervisor_setup *setup;
    struct data_dir dir;
    struct metrics metrics;
    struct processes processes;
    int signals;
    struct log_writer log; /* the process that writes house.log or to the journal, if any */
    struct reload_image
        image; /* the supervisor's state before the exec; .processes is NULL if there was no exec */
    bool is_announced;
    bool is_waiting;   /* systemd was told that the house waits */
    bool is_to_reload; /* a signal has asked for a reload, which waits until the house can */
};

/* Checks that the log can be written. At this time standard error still reaches the person who
 * opens the house. */
static bool can_write_log(const char *path)
{
    int file = files_open_regular(path, O_WRONLY | O_APPEND | O_CREAT);
    fd_close(file);
    return file >= 0 || log_failure("%s", path);
}

static bool begin_or_resume_log(struct supervisor *supervisor, const struct log_writer_setup *setup)
{
    return supervisor->image.log_input >= 0
               ? log_writer_resume(&supervisor->log, setup, supervisor->image.log_pid)
               : log_writer_begin(&supervisor->log, setup);
}

/* Starts the process that writes the log, if it goes to a file, or if standard error is systemd's
 * journal: then it goes there as structured entries. If that fails, the lines go to standard error,
 * as they would without systemd. */
static bool start_log(struct supervisor *supervisor)
{
    const struct config *config = supervisor->setup->config;
    const struct reload_image *image = &supervisor->image;
    struct log_writer_setup setup = {
        .input = image->log_input, .journal = -1, .stream = -1, .metrics = supervisor->metrics};
    if (supervisor->setup->is_logged_to_file) {
        setup.path = supervisor->dir.log;
        setup.most_bytes = (uint64_t)config->log_most_mib << 20;
        setup.keep = config->log_keep;
        return (supervisor->setup->image >= 0 || can_write_log(setup.path)) &&
               (begin_or_resume_log(supervisor, &setup) ||
                log_failure("the log cannot be written"));
    }
    if (image->log_stream >= 0 || log_journald_is_stderr()) {
        setup.journal = log_journald_connect(LOG_JOURNALD_SOCKET);
        setup.stream = image->log_stream;
        bool is_begun = image->log_input >= 0 || setup.journal >= 0;
        if (!is_begun || !begin_or_resume_log(supervisor, &setup)) {
            log_failure("no structured entries in the journal");
            fd_close(setup.journal);
        }
    }
    return true;
}

/* Opens the data folder. After an exec, continues with the data folder that was open before. */
static enum data_dir_result open_data_folder(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    return setup->image < 0 ? data_dir_open(&supervisor->dir, setup->data_dir)
                            : data_dir_reopen_after_exec(&supervisor->dir, setup->data_dir,
                                                         supervisor->image.lock);
}

/* Maps the page of metrics. After an exec, continues with the page that was mapped before, unless
 * this program has another list of metrics. Without a page the house works all the same. */
static void open_metrics(struct supervisor *supervisor)
{
    const char *folder = supervisor->dir.path;
    bool is_new = supervisor->setup->image < 0;
    supervisor->metrics.process = LIFE_SUPERVISOR;
    supervisor->metrics.page = is_new ? NULL : metrics_page_open(folder);
    if (supervisor->metrics.page == NULL) {
        is_new = true;
        supervisor->metrics.page = metrics_page_create(folder);
    }
    if (supervisor->metrics.page == NULL) {
        log_failure("nothing is counted, and no process can be watched: %s/" METRICS_PAGE_FILE,
                    folder);
    }
    if (is_new) {
        life_note_start(&supervisor->metrics, LIFE_SUPERVISOR, "supervisor", getpid());
    }
}

static bool open_data_and_log(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    const char *path = setup->data_dir;
    if (setup->image >= 0 && !reload_read_image(setup->image, &supervisor->image)) {
        log_event(LOG_LEVEL_ERROR, 0, "the supervisor's image cannot be read");
        return false;
    }
    switch (open_data_folder(supervisor)) {
    case DATA_DIR_OK:
        break;
    case DATA_DIR_LOCKED:
        log_event(LOG_LEVEL_ERROR, 0, "%s: another house is open with these data", path);
        return false;
    case DATA_DIR_FAILED:
    case DATA_DIR_CLOSED:
        return log_failure("%s", path);
    }
    open_metrics(supervisor);
    bool is_noted = data_dir_note_database(&supervisor->dir, setup->config->storage_url) ||
                    log_failure("%s", path);
    bool has_log = start_log(supervisor);
    /* an open house goes on without what fails now, although the check before the reload did not
     * see it; and a reload makes no new key, which nobody would know */
    return setup->image >= 0 ||
           (is_noted && has_log && host_key_make_if_missing(supervisor->dir.host_key));
}

/* Blocks all signals, so that they can be read from a descriptor. Child processes unblock the
 * signals (processes.h). */
static bool open_signal_descriptor(struct supervisor *supervisor)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGUSR1};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        sigaddset(&wanted, numbers[i]);
    }
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        sigaddset(&wanted, SIGHUP); /* nohup(1) ignores it, and it stays ignored */
    }
    signal(SIGPIPE,
           SIG_IGN); /* the process that started us may have closed the pipe to which we print */
    if (sigprocmask(SIG_BLOCK, &wanted, NULL) == 0) {
        supervisor->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    return supervisor->signals >= 0;
}

/* Raises the limit on open descriptors as far as it may be raised: gate and core need some for each
 * session (processes.h). */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Tells systemd about the state of a unit with Type=notify, like sd_notify(3). */
static void tell_systemd(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = path != NULL ? strlen(path) : 0;
    if (len == 0 || len >= sizeof address.sun_path) {
        return;
    }
    memcpy(address.sun_path, path, len);
    if (path[0] == '@') {
        /* '@' stands for the zero byte that begins the name of an abstract socket */
        address.sun_path[0] = '\0';
    }
    int socket_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t address_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    if (socket_fd < 0 || sendto(socket_fd, state, strlen(state), MSG_NOSIGNAL,
                                (const struct sockaddr *)&address, address_len) < 0) {
        log_event(LOG_LEVEL_WARN, 0, "cannot tell systemd: %s", strerror(errno));
    }
    fd_close(socket_fd);
}

void supervisor_announce_opening(const struct supervisor_setup *setup, const struct ports *ports)
{
    const struct config *config = setup->config;
    const char *host = config->listen_address[0] != '\0' ? config->listen_address : "localhost";
    if (ports->telnet != 0) {
        printf(_("%s is open: ssh -p %u %s, or unencrypted: telnet %s %u\n"), config->house_name,
               ports->ssh, host, host, ports->telnet);
    } else {
        printf(_("%s is open: ssh -p %u %s\n"), config->house_name, ports->ssh, host);
    }
    fflush(stdout);
}

/* deploy/quickstart reads what the open house listens on, and whether its program is the newest. */
static void note_supervisor(const struct supervisor *supervisor)
{
    if (!data_dir_note_supervisor(&supervisor->dir, &supervisor->processes.ports)) {
        log_failure("%s/lock does not tell the ports", supervisor->dir.path);
    }
}

static void report_open_house(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    const struct ports *ports = &supervisor->processes.ports;
    supervisor->is_announced = true;
    note_supervisor(supervisor);
    supervisor_announce_opening(setup, ports);
    /* whoever has read that the house waits may read no more, which is no failure of the house */
    __fpurge(stdout);
    clearerr(stdout);
    log_pairs(LOG_LEVEL_INFO, 0, "opened",
              LOG_PAIRS("ssh", LOG_NUMBER(ports->ssh), ports->telnet != 0 ? "telnet" : NULL,
                        LOG_NUMBER(ports->telnet)));
    tell_systemd(supervisor->is_waiting ? "READY=1\nSTATUS=The house is open." : "READY=1");
    if (setup->ready_fd >= 0) {
        if (!ports_write(setup->ready_fd, ports)) {
            log_event(LOG_LEVEL_WARN, 0, "cannot report that the house is open");
        }
        close(setup->ready_fd);
    }
}

/* Tells systemd that a house that waits has started, since it may have to wait for long. */
static void report_state(struct supervisor *supervisor)
{
    if (supervisor->is_announced) {
        return;
    }
    if (processes_are_ready(&supervisor->processes)) {
        report_open_house(supervisor);
    } else if (!supervisor->is_waiting && processes_can_be_replaced(&supervisor->processes)) {
        supervisor->is_waiting = true;
        printf(_("%s waits for its data: its log says why\n"),
               supervisor->setup->config->house_name);
        fflush(stdout);
        tell_systemd("READY=1\nSTATUS=The house waits: see its log.");
    }
}

/* Handles child processes that have died; returns what processes_reap returns. */
static bool reap_children(struct supervisor *supervisor)
{
    log_writer_restart_if_dead(&supervisor->log);
    bool is_of_use = processes_reap(&supervisor->processes);
    /* processes_reap may have reaped the process that writes the log */
    log_writer_restart_if_dead(&supervisor->log);
    return is_of_use;
}

/* Reloads the house, once it can, if a signal has asked for it. */
static void reload_if_asked(struct supervisor *supervisor)
{
    if (supervisor->is_to_reload && processes_can_be_replaced(&supervisor->processes)) {
        supervisor->is_to_reload = false;
        tell_systemd("RELOADING=1");
        reload_run(supervisor->setup, &supervisor->dir, &supervisor->processes, &supervisor->log);
        tell_systemd("READY=1");
    }
}

/* Returns the exit status that a signal asks for, or RUNNING. */
static int read_signals(struct supervisor *supervisor)
{
    struct signalfd_siginfo info;
    int status = RUNNING;
    while (read(supervisor->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGHUP) {
            supervisor->is_to_reload = true;
        } else if (info.ssi_signo != SIGCHLD) {
            log_pairs(LOG_LEVEL_INFO, 0, "closing",
                      LOG_PAIRS("signal", LOG_NUMBER(info.ssi_signo)));
            status = 0;
        } else if (!reap_children(supervisor)) {
            log_event(LOG_LEVEL_ERROR, 0, "the house cannot go on");
            return 1;
        }
    }
    return status;
}

static int serve_until_stopped(struct supervisor *supervisor)
{
    struct processes *processes = &supervisor->processes;
    int status = RUNNING;
    int64_t watched_ms = clock_steady_ms();
    while (status == RUNNING) {
        processes_start_all_due(processes);
        struct pollfd wanted[1 + PROCESSES_MAX] = {{.fd = supervisor->signals, .events = POLLIN}};
        for (unsigned i = 0; i < processes->count; i++) {
            wanted[1 + i] = (struct pollfd){.fd = processes->list[i].ready, .events = POLLIN};
        }
        life_give_sign(&supervisor->metrics, LIFE_WAITS);
        if (poll(wanted, 1 + processes->count, processes_next_work_in_ms(processes)) < 0 &&
            errno != EINTR) {
            log_failure("poll");
            return 1;
        }
        processes_read_readiness(processes);
        processes_end_hanging(processes, clock_steady_ms() - watched_ms);
        watched_ms = clock_steady_ms();
        report_state(supervisor);
        status = read_signals(supervisor);
        if (status == RUNNING) {
            reload_if_asked(supervisor);
        }
    }
    return status;
}

static bool prepare_or_resume_processes(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    struct processes *processes = &supervisor->processes;
    json_t *image = supervisor->image.processes;
    if (image == NULL) {
        return processes_prepare(processes, setup, &supervisor->dir, supervisor->metrics.page);
    }
    bool is_open =
        processes_resume(processes, setup, &supervisor->dir, supervisor->metrics.page, image);
    json_decref(image);
    supervisor->image.processes = NULL;
    if (is_open) {
        supervisor->is_announced = true;
        note_supervisor(supervisor);
        tell_systemd("READY=1");
        processes_begin_replacement(processes);
    }
    return is_open;
}

int supervisor_run(const struct supervisor_setup *setup)
{
    struct supervisor supervisor = {
        .setup = setup,
        .dir = {.lock = -1},
        .processes = {.control = -1, .settings = -1, .bridge_listener = -1},
        .image = {.log_input = -1, .log_stream = -1},
        .signals = -1};
    int status = 1;
    process_set_name("supervisor");
    raise_descriptor_limit();
    /* Sessions that outlive their gate become our children, so that we can end them with the house.
     */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!open_data_and_log(&supervisor)) {
        goto done;
    }
    if (!open_signal_descriptor(&supervisor) || !prepare_or_resume_processes(&supervisor)) {
        log_failure("cannot start");
        goto done;
    }
    status = serve_until_stopped(&supervisor);
    tell_systemd("STOPPING=1");
    processes_stop(&supervisor.processes);
    log_pairs(LOG_LEVEL_INFO, 0, "closed", LOG_PAIRS(NULL));
done:
    processes_close_descriptors(&supervisor.processes);
    fd_close(supervisor.signals);
    json_decref(supervisor.image.processes);
    log_writer_end(&supervisor.log);
    metrics_page_close(supervisor.metrics.page);
    data_dir_close(&supervisor.dir);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const int *left = a;
    const int *right = b;
    return (*left > *right) - (*left < *right);
}

static void close_unplanned_descriptors(const struct child_plan *plan)
{
    int keep[CHILD_KEEP_MAX];
    memcpy(keep, plan->keep, sizeof keep);
    qsort(keep, plan->keep_count, sizeof keep[0], compare_numbers);
    unsigned from = STDERR_FILENO + 1;
    for (size_t i = 0; i < plan->keep_count; i++) {
        unsigned kept = (unsigned)keep[i];
        if (keep[i] < (int)from) {
            continue; /* skip -1 (no descriptor), standard descriptors and duplicates */
        }
        if (kept > from) {
            fd_close_range(from, kept - 1, 0);
        }
        from = kept + 1;
    }
    fd_close_range(from, ~0U, 0);
}

static void run_child(const struct child_plan *plan, pid_t parent_pid)
{
    const struct rlimit no_core = {0};
    sigset_t none;
    if (setpgid(0, plan->group) != 0) {
        setpgid(0, 0);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent_pid) {
        _exit(1); /* the parent died before prctl could ask for a signal at its death */
    }
    close_unplanned_descriptors(plan);
    setrlimit(RLIMIT_CORE, &no_core);
    /* Forbid tracing: passwords, private messages and hidden cards pass through this process. */
    prctl(PR_SET_DUMPABLE, 0);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    process_set_name(plan->name);
    if (plan->reach != REACH_ALL && !rights_give_up_capabilities()) {
        log_failure("%s cannot give up its rights", plan->name);
        _exit(1);
    }
    if (!reach_restrict_process(plan->reach)) {
        log_failure("%s cannot be restricted", plan->name);
        _exit(1);
    }
    exit(plan->run(plan->context));
}

pid_t child_fork(const struct child_plan *plan)
{
    pid_t parent = getpid();
    fflush(NULL); /* flush now: otherwise both processes would write the buffered output */
    pid_t pid = fork();
    if (pid == 0) {
        run_child(plan, parent);
    }
    return pid;
}
