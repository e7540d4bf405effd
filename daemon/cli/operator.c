#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/processes.h"
#include "daemon/screens/drawing/words.h"
#include "lobby/protocol/protocol.h"
#include "storage/mod/mod.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_MS 600000 /* ten minutes, because the backup of a large database takes a while */
#define OUTLAST_MS                                                                                 \
    30000 /* core and supervisor check one after the other whether they can reload                 \
           */
/* If the core says nothing for this long, we ping it, and wait as long again for its answer. */
#define SILENCE_MS 2500

#define WAITS_MS                                                                                   \
    5000 /* how long a reloaded house may wait for its data before the reload says so */

#define VERSION_MAX 32

struct connection {
    int socket;
    struct client *client;
    char *buffer;
    bool has_failed; /* sending failed: see errno */
    bool is_ok;
    json_t *answer;
    char version[VERSION_MAX];       /* version of the core; "" before the core has sent
                                                 `welcome` */
    char waits[OPERATOR_SAID_MAX];   /* why the house waits, from `welcome`; "": it is open */
    char refused[OPERATOR_SAID_MAX]; /* why a reload was refused; "" if it was not refused */
};

static void send_packet(void *context, const char *json, size_t len)
{
    struct connection *connection = context;
    if (packet_send(connection->socket, json, len, -1) != PACKET_OK) {
        connection->has_failed = true;
    }
}

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct connection *connection = context;
    connection->is_ok = is_ok;
    connection->answer = json_deep_copy(answer);
}

/* Stores the version and what the house waits for from a `welcome`, or the reason from a
 * `reload_refused`. */
static void store_version_or_refusal(void *context, const char *type, const json_t *message)
{
    struct connection *connection = context;
    if (strcmp(type, "welcome") == 0) {
        connection->waits[0] = '\0';
    }
    const struct {
        const char *type, *key;
        char *kept;
        size_t size;
    } pushes[] = {
        {"welcome", "version", connection->version, sizeof connection->version},
        {"welcome", "waits", connection->waits, sizeof connection->waits},
        {"reload_refused", "why", connection->refused, sizeof connection->refused},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        const char *text = json_string_value(json_object_get(message, pushes[i].key));
        if (strcmp(pushes[i].type, type) == 0 && text != NULL) {
            (void)snprintf(pushes[i].kept, pushes[i].size, "%s", text);
        }
    }
}

/* Connects to the core. Returns OPERATOR_OK, _CLOSED or _FAILED; call close_connection in any
 * case. */
static enum operator_result open_connection(struct connection *connection, const char *data_dir)
{
    *connection = (struct connection){.socket = control_socket_connect(data_dir)};
    if (connection->socket < 0) {
        return errno == ENOENT || errno == ECONNREFUSED ? OPERATOR_CLOSED : OPERATOR_FAILED;
    }
    connection->buffer = malloc(PACKET_MAX);
    if (connection->buffer == NULL) {
        return OPERATOR_FAILED;
    }
    connection->client = client_new(send_packet, connection);
    client_set_push_receiver(connection->client, store_version_or_refusal, connection);
    client_send_hello(connection->client, "trickhouse");
    return OPERATOR_OK;
}

static void close_connection(struct connection *connection)
{
    client_free(connection->client);
    free(connection->buffer);
    json_decref(connection->answer);
    fd_close(connection->socket);
}

/* Receives the next packet, if one arrives before the deadline. Returns false with errno if none
 * arrives. */
static bool receive_packet(struct connection *connection, int64_t deadline_ms)
{
    struct pollfd readable = {.fd = connection->socket, .events = POLLIN};
    int64_t left_ms = deadline_ms - clock_steady_ms();
    errno = ETIMEDOUT;
    if (connection->has_failed || left_ms <= 0 || poll(&readable, 1, (int)left_ms) == 0) {
        return false;
    }
    size_t len;
    enum packet_result received =
        packet_receive(connection->socket, connection->buffer, &len, NULL);
    errno = received == PACKET_OK ? EPROTO : ECONNRESET;
    return received == PACKET_AGAIN ||
           (received == PACKET_OK &&
            client_receive_packet(connection->client, connection->buffer, len) == CLIENT_OK);
}

static void ignore_pong(void *context, UNUSED bool is_ok, UNUSED const json_t *answer)
{
    (void)context; /* the content of the answer does not matter */
}

/* Receives the next packet like receive_packet. If the core stays silent, sends a ping; fails if
 * the core does not answer that either. */
static bool receive_packet_pinging_silent_core(struct connection *connection, int64_t deadline_ms)
{
    int64_t silence_ms = clock_steady_ms() + SILENCE_MS;
    if (receive_packet(connection, silence_ms < deadline_ms ? silence_ms : deadline_ms)) {
        return true;
    }
    if (errno != ETIMEDOUT || clock_steady_ms() >= deadline_ms ||
        !client_send_request(connection->client, "ping", NULL, ignore_pong, connection)) {
        return false;
    }
    return receive_packet(connection, clock_steady_ms() + SILENCE_MS);
}

static enum operator_result send_command_and_await_answer(struct connection *connection,
                                                          const char *command)
{
    int64_t deadline_ms = clock_steady_ms() + ANSWER_MS;
    if (!client_send_request(connection->client, "mod", json_pack("{s:s}", "line", command),
                             store_answer, connection)) {
        return OPERATOR_FAILED;
    }
    while (connection->answer == NULL) {
        if (!receive_packet_pinging_silent_core(connection, deadline_ms)) {
            return OPERATOR_FAILED;
        }
    }
    return connection->is_ok ? OPERATOR_OK : OPERATOR_REFUSED;
}

enum operator_result operator_run_command(const char *data_dir, const char *command,
                                          json_t **answer)
{
    struct connection connection;
    *answer = NULL;
    enum operator_result result = open_connection(&connection, data_dir);
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        *answer = json_incref(connection.answer);
    }
    close_connection(&connection);
    return result;
}

/* Waits until the deadline for a core's `welcome`, and writes the core's version. If the core says
 * that the house waits, waits for `patience_ms` until it is open; then writes the reason and
 * returns OPERATOR_WAITS. */
static enum operator_result await_welcome(const char *data_dir, int64_t deadline_ms,
                                          int64_t patience_ms,
                                          char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    enum operator_result result = open_connection(&connection, data_dir);
    int64_t until_ms = deadline_ms;
    while (result == OPERATOR_OK &&
           (connection.version[0] == '\0' || connection.waits[0] != '\0')) {
        bool was_waiting = connection.waits[0] != '\0';
        if (!receive_packet(&connection, until_ms)) {
            result = was_waiting ? OPERATOR_WAITS : OPERATOR_FAILED;
        } else if (!was_waiting && connection.waits[0] != '\0') {
            until_ms = clock_steady_ms() + patience_ms;
        }
    }
    (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s",
                   result == OPERATOR_WAITS ? connection.waits : connection.version);
    close_connection(&connection);
    return result;
}

enum operator_result operator_check_core_answers(const char *data_dir,
                                                 char version_or_reason[OPERATOR_SAID_MAX])
{
    return await_welcome(data_dir, clock_steady_ms() + SILENCE_MS, 0, version_or_reason);
}

const char *operator_explain_failure(void)
{
    return errno == ETIMEDOUT || errno == EAGAIN
               ? _("the house is open, but its core does not answer")
           : errno == ECONNRESET ? _("the connection to the house was lost before it has answered: "
                                     "a command may have been carried out, see \"audit\"")
                                 : strerror(errno);
}

/* Waits until the core ends, but no longer once the core has refused to be replaced. */
static enum operator_result await_core_end(struct connection *connection, int64_t deadline_ms)
{
    while (connection->refused[0] == '\0' && receive_packet(connection, deadline_ms)) {
    }
    if (connection->refused[0] != '\0') {
        return OPERATOR_REFUSED;
    }
    return errno == ECONNRESET  ? OPERATOR_OK
           : errno == ETIMEDOUT ? OPERATOR_STAYED
                                : OPERATOR_FAILED;
}

/* Sends the command that makes another core take over the house, and waits for that core. Writes
 * the new core's version into `version_or_reason`; after OPERATOR_REFUSED and _WAITS the reasons,
 * one per line. */
static enum operator_result replace_core(const char *data_dir, const char *command,
                                         char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    int64_t deadline_ms = clock_steady_ms() + OUTLAST_MS;
    enum operator_result result = open_connection(&connection, data_dir);
    version_or_reason[0] = '\0';
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        const char *why = json_string_value(json_object_get(connection.answer, "why"));
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", why == NULL ? "" : why);
    }
    if (result == OPERATOR_OK) {
        result = await_core_end(&connection, deadline_ms);
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", connection.refused);
    }
    close_connection(&connection);
    return result == OPERATOR_OK ? await_welcome(data_dir, deadline_ms, WAITS_MS, version_or_reason)
                                 : result;
}

#define WHAT "what=\"" /* the text before the message in a line of the log (base.h) */

static FILE *open_log(const char *data_dir)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/house.log", data_dir);
    int file = len > 0 && len < (int)sizeof path ? files_open_regular(path, O_RDONLY) : -1;
    return file >= 0 ? fdopen(file, "r") : NULL;
}

long house_log_length(const char *data_dir)
{
    FILE *log = open_log(data_dir);
    long length = log != NULL && fseek(log, 0, SEEK_END) == 0 ? ftell(log) : 0;
    if (log != NULL) {
        fclose(log);
    }
    return length;
}

void house_log_print_error(const char *data_dir, long start_byte)
{
    FILE *log = open_log(data_dir);
    char line[1024];
    const char *error = NULL;
    if (log == NULL) {
        return;
    }
    bool is_there = fseek(log, start_byte, SEEK_SET) == 0;
    while (is_there && error == NULL && fgets(line, sizeof line, log) != NULL) {
        error = strstr(line, " error conn=-");
    }
    const char *what = error != NULL ? strstr(error, WHAT) : NULL;
    if (what != NULL) {
        what += sizeof WHAT - 1;
        fprintf(stderr, "error: %.*s\n", (int)strcspn(what, "\"\n"), what);
    }
    fclose(log);
}

pid_t open_house_find(const char *data_dir)
{
    pid_t house_pid;
    enum data_dir_result found = data_dir_find_supervisor(data_dir, &house_pid);
    if (found == DATA_DIR_OK || found == DATA_DIR_CLOSED) {
        return found == DATA_DIR_OK ? house_pid : 0;
    }
    (void)subcommand_fail(data_dir, strerror(errno));
    return -1;
}

/* The subcommands `status`, `metrics`, `reload` and `stop`. */

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
static void print_report_as_json(const char *house, const struct report *report)
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
        print_report_as_json(is_well                            ? "open"
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
        print_report_as_json("closed", &(const struct report){0});
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

static int reload_house(const char *data_dir)
{
    char said[OPERATOR_SAID_MAX];
    long log_from = house_log_length(data_dir);
    uint64_t deaths_before = count_core_deaths(data_dir);
    switch (replace_core(data_dir, "reload", said)) {
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
    return data_dir == NULL ? 2 : reload_house(data_dir);
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

/* The subcommand `admin`: runs moderation commands for the owner of the data folder. */

#define LINE_MAX_BYTES 1024
#define VERIFY_ALL "audit verify"
#define LIST_COLUMNS 80
#define LIST_BYTES_MAX ((size_t)64 << 10)

/* Exit statuses besides 0, 1 (failed or refused) and 2 (wrong usage); 3 means that the house does
 * not work, as from the subcommand `status`. */
enum {
    STATUS_CONFIRM = 4, /* the command asks for --yes */
    STATUS_UNKNOWN = 5, /* no such command, person, report and so on */
};

struct admin_request {
    const char *data_dir;
    bool is_json, is_confirmed;
    char line[LINE_MAX_BYTES];
};

/* Prints an answer of the house, or a refusal in the form of one, as a line of JSON. */
static void print_answer_as_json(const json_t *answer)
{
    (void)json_dumpf(answer, stdout, JSON_COMPACT);
    puts("");
}

static int print_failure(const struct admin_request *request, const char *code, const char *why)
{
    if (request->is_json) {
        json_t *answer = json_pack("{s:s,s:s}", "code", code, "why", why);
        print_answer_as_json(answer);
        json_decref(answer);
    } else {
        fprintf(stderr, "trickhouse admin: %s\n", why);
    }
    return 1;
}

static int print_mod_commands(void)
{
    const struct lines_look look = {.width = LIST_COLUMNS, .end = "\n"};
    struct lines lines;
    struct bytes out;
    lines_init(&lines, LIST_BYTES_MAX);
    bytes_init(&out, LIST_BYTES_MAX);
    usage_put_mod_commands(RANK_OWNER, &lines);
    bool is_whole = lines_write(&lines, &look, &out) && !lines.is_cut;
    (void)fwrite(out.at, 1, out.len, stdout);
    bytes_clear(&out);
    lines_clear(&lines);
    return is_whole ? 0
                    : print_failure(&(struct admin_request){0}, "failed",
                                    "the list of commands is too long");
}

static void print_answer(const struct admin_request *request, const json_t *answer)
{
    if (request->is_json) {
        print_answer_as_json(answer);
        return;
    }
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "lines")); i++) {
        json_t *line = json_array_get(json_object_get(answer, "lines"), i);
        puts(json_string_value(line));
    }
}

static void print_verified_log(const struct admin_request *request,
                               const struct storage_audit_check *check)
{
    if (request->is_json) {
        json_t *answer = json_pack("{s:{s:b,s:I,s:I}}", "data", "is_whole", check->bad == 0, "bad",
                                   (json_int_t)check->bad, "rows", (json_int_t)check->rows);
        print_answer_as_json(answer);
        json_decref(answer);
    } else if (check->bad != 0) {
        printf(_("Row %lld of the audit log was changed or is missing.\n"), (long long)check->bad);
    } else {
        printf(_("All %lld rows of the audit log are as they were written.\n"),
               (long long)check->rows);
    }
}

static int verify_audit_log_of_closed_house(const struct admin_request *request)
{
    struct data_dir dir;
    struct storage *storage = NULL;
    struct storage_audit_check check = {0};
    char why[STORAGE_WHY_SIZE];
    char url[CONFIG_TEXT_SIZE];
    if (data_in_file_find_url(request->data_dir, url)) {
        return print_failure(request, "failed",
                             _("the data are in PostgreSQL: use \"trickhouse check-data --audit\" "
                               "with their URL"));
    }
    if (data_dir_open(&dir, request->data_dir) != DATA_DIR_OK) {
        return print_failure(request, "failed", strerror(errno));
    }
    enum storage_result result = access(dir.database, F_OK) != 0
                                     ? STORAGE_NOT_FOUND
                                     : storage_open(dir.database, &storage, why);
    if (result == STORAGE_OK) {
        result = storage_audit_verify(storage, 1, INT64_MAX, &check);
    }
    int status = result != STORAGE_OK || check.bad != 0;
    if (result != STORAGE_OK) {
        (void)print_failure(request, "failed",
                            result == STORAGE_NOT_FOUND ? _("there is no data in this folder")
                                                        : why);
    } else {
        print_verified_log(request, &check);
    }
    storage_close(storage);
    data_dir_close(&dir);
    return status;
}

static int print_refusal(const struct admin_request *request, const json_t *answer)
{
    const char *code = json_string_value(json_object_get(answer, "code"));
    bool is_question = code != NULL && strcmp(code, "confirm") == 0;
    bool is_unknown = code != NULL && strcmp(code, "unknown") == 0;
    if (request->is_json) {
        print_answer_as_json(answer);
    } else {
        (void)print_failure(request, code, json_string_value(json_object_get(answer, "why")));
    }
    if (is_question && !request->is_json) {
        fputs(_("To confirm, repeat the command with --yes before it.\n"), stderr);
    }
    return is_question ? STATUS_CONFIRM : is_unknown ? STATUS_UNKNOWN : 1;
}

static int handle_answer(const struct admin_request *request, const json_t *answer,
                         json_int_t *next_row)
{
    const json_t *data = json_object_get(answer, "data");
    *next_row = json_integer_value(json_object_get(data, "next"));
    if (*next_row == 0) {
        print_answer(request, answer);
    }
    return json_is_false(json_object_get(data, "is_whole"));
}

/* Sends one line to the open house. *next_row becomes the row of the audit log at which `audit
 * verify` continues; 0 if it is done. */
static int send_command_line(const struct admin_request *request, const char *line,
                             json_int_t *next_row)
{
    json_t *answer;
    int status;
    *next_row = 0;
    enum operator_result result = operator_run_command(request->data_dir, line, &answer);
    if (result == OPERATOR_OK) {
        status = handle_answer(request, answer, next_row);
    } else if (result == OPERATOR_REFUSED) {
        status = print_refusal(request, answer);
    } else if (result != OPERATOR_CLOSED) {
        status = print_failure(request, errno == ECONNRESET ? "lost" : "failed",
                               operator_explain_failure());
    } else if (strncmp(request->line, VERIFY_ALL, strlen(VERIFY_ALL)) == 0) {
        status = verify_audit_log_of_closed_house(request);
    } else {
        status = print_failure(request, "closed", _("no open house uses the data in this folder"));
    }
    json_decref(answer);
    return status;
}

static int run_command(const struct admin_request *request)
{
    char line[LINE_MAX_BYTES + 32];
    json_int_t next_row;
    (void)snprintf(line, sizeof line, "%s%s", request->is_confirmed ? "yes " : "", request->line);
    int status = send_command_line(request, line, &next_row);
    while (next_row != 0) { /* the house verifies a few thousand rows at a time */
        (void)snprintf(line, sizeof line, VERIFY_ALL " from=%lld", (long long)next_row);
        status = send_command_line(request, line, &next_row);
    }
    return status;
}

/* Joins the words of the command into one line. Accepts "--verify" for "verify", because people
 * tend to write it as an option. */
static bool join_words(struct admin_request *request, char **words)
{
    size_t len = 0;
    for (; *words != NULL; words++) {
        const char *word = strcmp(*words, "--verify") == 0 ? "verify" : *words;
        int wrote = snprintf(request->line + len, sizeof request->line - len, "%s%s",
                             len > 0 ? " " : "", word);
        len += (size_t)wrote;
        if (len >= sizeof request->line) {
            return false;
        }
    }
    return true;
}

/* Reloads as `trickhouse reload` does, which waits until it is known whether the house could. */
static int run_reload(const char *data_dir)
{
    static char name[] = "reload";
    program_invocation_short_name = name;
    return reload_house(data_dir);
}

int subcommand_run_admin(char **argv)
{
    struct admin_request request = {0};
    char **words = NULL;
    const struct argument options[] = {
        {.name = "data", .text = &request.data_dir},
        {.name = "json", .flag = &request.is_json},
        {.name = "yes", .flag = &request.is_confirmed},
        {.rest = &words},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (words == NULL || (strcmp(words[0], "help") == 0 && words[1] == NULL)) {
        return print_mod_commands();
    }
    if (request.data_dir == NULL) {
        return subcommand_report_wrong_usage("--data DIR is missing");
    }
    if (access(request.data_dir, F_OK) != 0) {
        return print_failure(&request, "failed",
                             strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (!join_words(&request, words)) {
        return subcommand_report_wrong_usage("the command is too long");
    }
    if (strcmp(request.line, "reload") == 0 && !request.is_json) {
        return run_reload(request.data_dir);
    }
    return run_command(&request);
}
