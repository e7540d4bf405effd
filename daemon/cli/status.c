#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
               up, process->restarts, silent, house_process_state_text(process->state));
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

static void print_slow_commit(uint64_t seconds)
{
    if (seconds > 0) {
        printf(_("The database is slow: a commit takes %" PRIu64 " s. Is a standby late?\n"),
               seconds);
    }
}

static void print_clock_jumps(uint64_t count)
{
    if (count > 0) {
        printf(_("The machine's clock has jumped (times: %" PRIu64
                 "): see event=clock-jumped in the log.\n"),
               count);
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
        print_slow_commit(report.nodes.commit_s);
        print_clock_jumps(report.clock_jumps);
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

static int status_run(char **argv)
{
    const char *data_dir = NULL;
    bool is_json = false;
    const struct argument options[] = {
        {.name = "data", .called = "--data DIR", .is_needed = true, .text = &data_dir},
        {.name = "json", .flag = &is_json},
        {.name = NULL},
    };
    if (!arguments_read(&status_subcommand, options, argv)) {
        return 2;
    }
    pid_t house_pid = open_house_find(&status_subcommand, data_dir);
    if (house_pid == 0) {
        return report_closed_house(data_dir, is_json);
    }
    return house_pid > 0 ? report_open_house(data_dir, house_pid, is_json) : 1;
}

const struct subcommand status_subcommand = {
    .name = "status",
    .args = "--data DIR [--json]",
    .help = N_("Show whether a house is open with the data in DIR, and what its processes do."),
    .more =
        N_("The exit status is 0 if a house is open and works, 1 if none is open, and 3 if one\n"
           "is open but its core does not answer or waits for its data, or another of its\n"
           "processes does not work.\n"
           "--json     print the same as an object of JSON"),
    .run = status_run,
};
