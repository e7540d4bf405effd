#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAT_MAX 512
#define RESTART_MS 2000 /* a process that a reload replaces is away for less */

static const struct {
    const char *word, *text;
} states[] = {
    [HOUSE_PROCESS_STARTS] = {"starts", N_("starts")},
    [HOUSE_PROCESS_WAITS] = {"waits", N_("waits for work")},
    [HOUSE_PROCESS_WORKS] = {"works", N_("works")},
    [HOUSE_PROCESS_WRITES] = {"writes", N_("writes to the disk")},
    [HOUSE_PROCESS_RESTARTS] = {"restarts", N_("is started again")},
    [HOUSE_PROCESS_STOPPED] = {"stopped", N_("IS STOPPED by a signal")},
    [HOUSE_PROCESS_HANGS] = {"hangs", N_("HANGS: gives no sign of life")},
    [HOUSE_PROCESS_GONE] = {"gone", N_("DOES NOT RUN")},
    [HOUSE_PROCESS_FAILS] = {"fails", N_("HAS DIED, and does not work again yet")},
};

const char *house_process_state_word(enum house_process_state state)
{
    return states[state].word;
}

/* Returns the state of a process as a letter (proc(5), /proc/PID/stat); 0 if there is no such
 * process, or /proc does not show it. */
static int read_system_state(int64_t pid)
{
    char path[64];
    char text[STAT_MAX];
    (void)snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    FILE *file = fopen(path, "re");
    size_t len = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL) {
        (void)fclose(file);
    }
    text[len] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name may contain anything */
    return name_end != NULL && name_end[1] == ' ' ? (unsigned char)name_end[2] : '\0';
}

static enum house_process_state find_state(const struct life *life, int64_t silent_ms)
{
    static const enum house_process_state of_doing[LIFE_DOINGS] = {
        [LIFE_STARTS] = HOUSE_PROCESS_STARTS,
        [LIFE_WAITS] = HOUSE_PROCESS_WAITS,
        [LIFE_WORKS] = HOUSE_PROCESS_WORKS,
        [LIFE_WRITES] = HOUSE_PROCESS_WRITES,
    };
    uint32_t doing = atomic_load_explicit(&life->doing, memory_order_relaxed);
    int64_t pid = atomic_load_explicit(&life->pid, memory_order_relaxed);
    int system_state = pid > 0 ? read_system_state(pid) : 'X';
    if (system_state == 'X' || system_state == 'Z') {
        return silent_ms < RESTART_MS ? HOUSE_PROCESS_RESTARTS : HOUSE_PROCESS_GONE;
    }
    if (system_state == 'T' || system_state == 't') {
        return HOUSE_PROCESS_STOPPED;
    }
    if (doing == LIFE_STARTS) {
        /* loading much data takes long; but after a death nothing works meanwhile */
        bool has_died = atomic_load_explicit(&life->seen_ms, memory_order_relaxed) <
                        atomic_load_explicit(&life->started_ms, memory_order_relaxed);
        return has_died && silent_ms >= RESTART_MS ? HOUSE_PROCESS_FAILS : HOUSE_PROCESS_STARTS;
    }
    return silent_ms > LIFE_HANGS_MS || doing >= LIFE_DOINGS ? HOUSE_PROCESS_HANGS
                                                             : of_doing[doing];
}

struct house_processes house_processes_list(const struct metrics_page *page, int64_t now_ms)
{
    struct house_processes processes = {0};
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        const struct life *life = &page->lives[i];
        struct house_process *process = &processes.list[processes.count];
        life_copy_name(life, process->name);
        if (process->name[0] == '\0') {
            continue;
        }
        int64_t seen_ms = atomic_load_explicit(&life->seen_ms, memory_order_relaxed);
        process->pid = atomic_load_explicit(&life->pid, memory_order_relaxed);
        process->up_ms = now_ms - atomic_load_explicit(&life->started_ms, memory_order_relaxed);
        process->restarts = atomic_load_explicit(&life->restarts, memory_order_relaxed);
        process->silent_ms = now_ms > seen_ms ? now_ms - seen_ms : 0;
        process->state = find_state(life, process->silent_ms);
        processes.count++;
    }
    return processes;
}

bool house_processes_all_work(const struct house_processes *processes)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->list[i].state >= HOUSE_PROCESS_STOPPED) {
            return false;
        }
    }
    return true;
}

/* Only a node with a number has a bridge. */
static bool has_bridge(const struct metrics_page *page)
{
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        char name[LIFE_NAME_SIZE + 1];
        life_copy_name(&page->lives[i], name);
        if (strcmp(name, "bridge") == 0) {
            return true;
        }
    }
    return false;
}

static struct house_nodes house_nodes_get(struct metrics_page *page)
{
    const struct metrics metrics = {.page = page};
    return (struct house_nodes){
        .alive = metrics_get(&metrics, METRIC_cluster_nodes, NULL, NULL),
        .holder = metrics_get(&metrics, METRIC_cluster_holder, NULL, NULL),
        .connected = metrics_get(&metrics, METRIC_cluster_connected, NULL, NULL),
        .commit_s = metrics_get(&metrics, METRIC_cluster_commit_seconds, NULL, NULL),
        .is_holder = metrics_get(&metrics, METRIC_cluster_holds, NULL, NULL) != 0,
        .is_one_of_several = has_bridge(page),
    };
}

bool house_nodes_read(const char *data_dir, pid_t house_pid, struct house_nodes *nodes)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    bool is_read = metrics_page_read(data_dir, house_pid, page);
    int error = errno;
    if (is_read) {
        *nodes = house_nodes_get(page);
    }
    free(page);
    errno = error;
    return is_read;
}

#define STATUS_CLOSED 1
#define STATUS_FAILING 3
#define TIME_MAX 48
#define MS_PER_S 1000

/* What is known about an open house. */
struct report {
    pid_t pid; /* of the supervisor, as it calls itself */
    enum operator_result answer;
    const char *failure;          /* why the core has not answered */
    char said[OPERATOR_SAID_MAX]; /* what the house waits for, after OPERATOR_WAITS */
    struct house_processes processes;
    struct house_nodes nodes;
    uint64_t clock_jumps;
};

static bool is_house_well(const struct report *report)
{
    return report->answer == OPERATOR_OK && house_processes_all_work(&report->processes);
}

/* Returns the process id of the supervisor that listens at the socket, as this process has to name
 * it; 0 if it is in another PID namespace, such as a container's, where this process cannot name
 * it; -1 with errno as from control_socket_connect. The number in the file `lock` is the
 * supervisor's own, which stands for another process in another namespace. */
static pid_t control_socket_find_supervisor(const char *data_dir)
{
    struct ucred listener = {.pid = -1};
    socklen_t len = sizeof listener;
    int socket_fd = control_socket_connect(data_dir);
    if (socket_fd >= 0 && getsockopt(socket_fd, SOL_SOCKET, SO_PEERCRED, &listener, &len) != 0) {
        listener.pid = -1;
    }
    fd_close(socket_fd);
    return listener.pid;
}

/* Asks the core, which may take as long as operator_check_core_answers waits, and then looks at all
 * processes. In another PID namespace, their numbers stand for others, so nothing is said of them.
 */
static struct report examine_house(const char *data_dir, pid_t house_pid)
{
    struct report report = {.pid = house_pid};
    report.answer = operator_check_core_answers(data_dir, report.said);
    report.failure = operator_explain_failure();
    struct metrics_page *page = must_allocate(sizeof *page);
    if (metrics_page_read(data_dir, house_pid, page)) {
        pid_t supervisor = control_socket_find_supervisor(data_dir);
        if (supervisor == house_pid || supervisor < 0) {
            report.processes = house_processes_list(page, clock_steady_ms());
        }
        report.nodes = house_nodes_get(page);
        report.clock_jumps =
            metrics_get(&(const struct metrics){.page = page}, METRIC_clock_jumps, NULL, NULL);
    }
    free(page);
    return report;
}

static json_t *make_process_json(const struct house_process *process)
{
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:s}", "name", process->name, "pid",
                     (json_int_t)process->pid, "up_ms", (json_int_t)process->up_ms, "restarts",
                     (json_int_t)process->restarts, "silent_ms", (json_int_t)process->silent_ms,
                     "state", house_process_state_word(process->state));
}

/* Prints {"house": "open", "failing", "opening", "waiting" or "closed", "pid": N, "clock_jumps": N,
 * "processes": [...]}, "waits" with the reason, and "nodes", "holder", "is_holder", "connected" and
 * "commit_s" if the data are in PostgreSQL. */
static void print_json(const char *house, const struct report *report)
{
    json_t *processes = json_array();
    for (size_t i = 0; i < report->processes.count; i++) {
        (void)json_array_append_new(processes, make_process_json(&report->processes.list[i]));
    }
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:o}", "house", house, "pid", (json_int_t)report->pid,
                  "clock_jumps", (json_int_t)report->clock_jumps, "processes", processes);
    const struct house_nodes *nodes = &report->nodes;
    if (report->answer == OPERATOR_WAITS) {
        (void)json_object_set_new(object, "waits", json_string(report->said));
    }
    if (nodes->alive > 0) {
        (void)json_object_update_new(
            object,
            json_pack("{s:I, s:I, s:b, s:I, s:I}", "nodes", (json_int_t)nodes->alive, "holder",
                      (json_int_t)nodes->holder, "is_holder", nodes->is_holder, "connected",
                      (json_int_t)nodes->connected, "commit_s", (json_int_t)nodes->commit_s));
    }
    char *text = must_format_json(object);
    puts(text);
    free(text);
}

static void write_time(int64_t ms, char text[TIME_MAX])
{
    int64_t s = ms / MS_PER_S;
    if (s < 60) {
        (void)snprintf(text, TIME_MAX, "%" PRId64 ".%" PRId64 " s", s, ms % MS_PER_S / 100);
    } else if (s < 3600) {
        (void)snprintf(text, TIME_MAX, "%" PRId64 " min %" PRId64 " s", s / 60, s % 60);
    } else if (s < 86400) {
        (void)snprintf(text, TIME_MAX, "%" PRId64 " h %" PRId64 " min", s / 3600, s % 3600 / 60);
    } else {
        (void)snprintf(text, TIME_MAX, "%" PRId64 " d %" PRId64 " h", s / 86400, s % 86400 / 3600);
    }
}

static void print_processes(const struct house_processes *processes)
{
    if (processes->count > 0) {
        printf("%-12s %8s  %-14s %8s  %-14s %s\n", _("process"), _("id"), _("runs for"),
               _("restarts"), _("last sign"), _("what it does"));
    }
    for (size_t i = 0; i < processes->count; i++) {
        const struct house_process *process = &processes->list[i];
        char up[TIME_MAX], silent[TIME_MAX];
        write_time(process->up_ms, up);
        write_time(process->silent_ms, silent);
        printf("%-12s %8" PRId64 "  %-14s %8" PRIu64 "  %-14s %s\n", process->name, process->pid,
               up, process->restarts, silent, _(states[process->state].text));
    }
}

static void print_summary(const struct report *report)
{
    long pid = (long)report->pid;
    if (report->answer == OPERATOR_WAITS) {
        printf(_("The house (process %ld) waits: %s\n"), pid, report->said);
    } else if (report->answer == OPERATOR_CLOSED) {
        printf(_("The house (process %ld) accepts nobody: it is opening or closing.\n"), pid);
    } else if (report->answer != OPERATOR_OK) {
        printf(_("The house (process %ld) does not work: %s.\n"), pid, report->failure);
    } else if (!is_house_well(report)) {
        printf(_("The house (process %ld) is open, but not all of its processes work.\n"), pid);
    } else {
        printf(_("The house is open (process %ld).\n"), pid);
    }
}

/* Says who holds a house in PostgreSQL. */
static void print_holder(const struct house_nodes *nodes)
{
    if (nodes->alive == 0) {
        return;
    }
    if (nodes->is_holder) {
        printf(_("This node holds the house. Nodes alive: %" PRIu64
                 ". Other nodes connected: %" PRIu64 ".\n"),
               nodes->alive, nodes->connected);
    } else if (nodes->holder != 0) {
        printf(
            _("Node %" PRIu64 " holds the house, and this one waits. Nodes alive: %" PRIu64 ".\n"),
            nodes->holder, nodes->alive);
    } else {
        printf(_("No node holds the house, and this one waits. Nodes alive: %" PRIu64 ".\n"),
               nodes->alive);
    }
}

static void print_warnings(const struct report *report)
{
    if (report->nodes.commit_s > 0) {
        printf(_("The database is slow: a commit takes %" PRIu64 " s. Is a standby late?\n"),
               report->nodes.commit_s);
    }
    if (report->clock_jumps > 0) {
        printf(_("The machine's clock has jumped (times: %" PRIu64
                 "): see event=clock-jumped in the log.\n"),
               report->clock_jumps);
    }
}

static int report_open_house(const char *data_dir, pid_t house_pid, bool is_json)
{
    const struct report report = examine_house(data_dir, house_pid);
    bool is_well = is_house_well(&report);
    if (is_json) {
        print_json(is_well                            ? "open"
                   : report.answer == OPERATOR_CLOSED ? "opening"
                   : report.answer == OPERATOR_WAITS  ? "waiting"
                                                      : "failing",
                   &report);
    } else {
        print_summary(&report);
        print_holder(&report.nodes);
        print_warnings(&report);
        print_processes(&report.processes);
    }
    return is_well ? 0 : STATUS_FAILING;
}

static int report_closed_house(const char *data_dir, bool is_json)
{
    if (is_json) {
        print_json("closed", &(const struct report){0});
    } else {
        printf(_("No house is open with the data in %s.\n"), data_dir);
    }
    return STATUS_CLOSED;
}

int subcommand_run_status(char **argv)
{
    const char *data_dir = NULL;
    bool is_json = false;
    const struct argument options[] = {
        {.name = "data", .called = "--data DIR", .is_needed = true, .text = &data_dir},
        {.name = "json", .flag = &is_json},
        {.name = NULL},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    pid_t house_pid = open_house_find(data_dir);
    if (house_pid == 0) {
        return report_closed_house(data_dir, is_json);
    }
    return house_pid > 0 ? report_open_house(data_dir, house_pid, is_json) : 1;
}

/* Prints the numbers of the page as they are now. */
static int print_metrics(const char *data_dir, pid_t house_pid)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    output_begin();
    if (!metrics_page_read(data_dir, house_pid, page)) {
        int error = errno;
        free(page);
        return subcommand_fail(data_dir,
                               error == ESTALE || error == ENOENT
                                   ? _("the open house runs another version of this program, or "
                                       "could not make the file counters")
                                   : strerror(error));
    }
    life_measure_silence(&(const struct metrics){.page = page}, clock_steady_ms());
    char *text = prometheus_write(page);
    fputs(text, stdout);
    free(text);
    free(page);
    return 0;
}

int subcommand_run_metrics(char **argv)
{
    const char *data_dir = arguments_read_data_dir(argv);
    if (data_dir == NULL) {
        return 2;
    }
    pid_t house_pid = open_house_find(data_dir);
    if (house_pid == 0) {
        return subcommand_fail(data_dir, _("no house is open with these data"));
    }
    return house_pid > 0 ? print_metrics(data_dir, house_pid) : 1;
}

#define DESCRIPTOR_LIMIT (1 << 20)

int subcommand_run_gate(char **argv)
{
    uint32_t image = 0;
    const struct argument options[] = {
        {.name = "image", .number = &image, .min = 3, .max = DESCRIPTOR_LIMIT},
        {.name = NULL},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    return image != 0 ? gate_resume((int)image)
                      : subcommand_report_wrong_usage("--image N is missing");
}

/* Returns how often a core of this house has died. */
static uint64_t count_core_deaths(const char *data_dir)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    pid_t house_pid = 0;
    uint64_t deaths = 0;
    if (data_dir_find_supervisor(data_dir, &house_pid) == DATA_DIR_OK &&
        metrics_page_read(data_dir, house_pid, page)) {
        deaths = page->lives[LIFE_FIRST].restarts;
    }
    free(page);
    return deaths;
}

int house_reload(const char *data_dir)
{
    char said[OPERATOR_SAID_MAX];
    long log_from = house_log_length(data_dir);
    uint64_t deaths_before = count_core_deaths(data_dir);
    switch (operator_replace_core(data_dir, "reload", said)) {
    case OPERATOR_OK:
        break;
    case OPERATOR_REFUSED:
        (void)subcommand_fail(
            data_dir,
            _("nothing has changed, because the house could not open with these settings:"));
        fprintf(stderr, "%s\n", said);
        return 1;
    case OPERATOR_CLOSED:
        return subcommand_fail(data_dir, _("no open house uses the data in this folder"));
    case OPERATOR_FAILED:
        return subcommand_fail(data_dir, operator_explain_failure());
    case OPERATOR_WAITS:
        (void)subcommand_fail(data_dir, _("the house is reloaded, but waits:"));
        fprintf(stderr, "%s\n", said);
        return 1;
    case OPERATOR_STAYED:
        house_log_print_error(data_dir, log_from);
        return subcommand_fail(data_dir, _("nothing has changed; see the house's log"));
    }
    if (count_core_deaths(data_dir) > deaths_before) {
        return subcommand_fail(data_dir,
                               _("the core has died meanwhile, and was started again; see the "
                                 "house's log"));
    }
    printf(_("The house is reloaded: version %s. Nobody was disconnected.\n"), said);
    return 0;
}

int subcommand_run_reload(char **argv)
{
    const char *data_dir = arguments_read_data_dir(argv);
    return data_dir == NULL ? 2 : house_reload(data_dir);
}

/* How long `stop` waits: longer than the supervisor takes to end all processes
 * (processes/supervisor.c).
 */
#define STOP_MS 30000

/* Says what was closed: of several nodes, only this one. */
static const char *describe_closed(const struct house_nodes *nodes)
{
    if (nodes->alive > 1) {
        return _("This node is closed; the house goes on at the others.");
    }
    return nodes->is_one_of_several && nodes->alive == 0 /* it never learnt of the others */
               ? _("This node is closed.")
               : _("The house is closed.");
}

/* Explains why it is not known which process is the supervisor. */
static const char *describe_unknown_supervisor(pid_t supervisor)
{
    if (supervisor == 0) {
        return _("the house is open in another PID namespace, such as a container: close it there");
    }
    return errno == ENOENT || errno == ECONNREFUSED
               ? _("a house is just opening or closing, or another subcommand uses the data: try "
                   "again")
               : strerror(errno);
}

/* Ends the house, whose supervisor calls itself house_pid. Signals it through a descriptor of its
 * process (pidfd_open(2)): if another process has got the same process id, that process gets no
 * signal. */
static int stop_house(const char *data_dir, pid_t house_pid)
{
    struct house_nodes nodes = {.alive = 0};
    const bool is_known = house_nodes_read(data_dir, house_pid, &nodes);
    (void)is_known; /* a house without a page is described like one with its data in a file */
    pid_t supervisor = control_socket_find_supervisor(data_dir);
    if (supervisor <= 0) {
        return subcommand_fail(data_dir, describe_unknown_supervisor(supervisor));
    }
    int process = fd_open_process(supervisor);
    if (process < 0 || !fd_signal_process(process, SIGTERM)) {
        int status = errno == ESRCH ? 0 : subcommand_fail(data_dir, strerror(errno));
        fd_close(process);
        return status;
    }
    struct pollfd end = {.fd = process, .events = POLLIN};
    int ended;
    while ((ended = poll(&end, 1, STOP_MS)) < 0 && errno == EINTR) {
    }
    close(process);
    if (ended <= 0) {
        fprintf(stderr, "trickhouse stop: the house (process %ld) is still closing\n",
                (long)supervisor);
        return 1;
    }
    puts(describe_closed(&nodes));
    return 0;
}

int subcommand_run_stop(char **argv)
{
    const char *data_dir = arguments_read_data_dir(argv);
    if (data_dir == NULL) {
        return 2;
    }
    pid_t house_pid = open_house_find(data_dir);
    if (house_pid == 0) {
        printf(_("No house is open with the data in %s.\n"), data_dir);
        return 0;
    }
    return house_pid > 0 ? stop_house(data_dir, house_pid) : 1;
}
