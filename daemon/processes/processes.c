#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/bridge/bridge.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/workers/workers.h"

#include <assert.h>
#include <errno.h>
#include <event2/util.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool processes_node_listen(struct processes *processes);

/* The names of members in the image. A newer program reads the image of an older one, so the
 * meaning of a name never changes. */

static json_t *process_to_json(const struct process *process)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", process->name, "pid", (int)process->pid,
                     "group", (int)process->group, "core_end", process->core_end, "own_end",
                     process->own_end);
}

json_t *processes_image_make(const struct processes *processes)
{
    json_t *members = json_array();
    for (unsigned i = 0; i < processes->count; i++) {
        (void)json_array_append_new(members, process_to_json(&processes->list[i]));
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "control", processes->control,
                     "bridge_listener", processes->bridge_listener, "settings", processes->settings,
                     "port_ssh", processes->ports.ssh, "port_telnet", processes->ports.telnet,
                     "answers_key",
                     image_bytes_to_json(processes->answers_key, sizeof processes->answers_key),
                     "members", members, "listeners", listeners_to_json(&processes->listeners));
}

/* Finds the first process with this name that has not been restored yet. */
static struct process *find_unrestored_process(struct processes *processes, const char *name)
{
    for (unsigned i = 0; i < processes->count; i++) {
        struct process *process = &processes->list[i];
        if (!process->is_resumed && strcmp(process->name, name) == 0) {
            return process;
        }
    }
    return NULL;
}

static bool restore_process(struct processes *processes, json_t *json)
{
    const char *name;
    int pid;
    int group;
    int core_end;
    int own_end;
    if (json_unpack(json, "{s:s, s:i, s:i, s:i, s:i}", "name", &name, "pid", &pid, "group", &group,
                    "core_end", &core_end, "own_end", &own_end) != 0) {
        return false;
    }
    struct process *process = find_unrestored_process(processes, name);
    if (process == NULL) {
        fd_close(core_end);
        fd_close(own_end);
        if (pid > 0) {
            kill(pid, SIGTERM);
        }
        return true;
    }
    process->is_resumed = true;
    process->is_ready = true;
    process->pid = pid;
    process->group = group;
    process->core_end = core_end;
    process->own_end = own_end;
    return true;
}

/* Restores sockets and processes from the image. `processes` must list the wanted processes,
 * without sockets. Saved processes are matched by name and order and keep running. New processes
 * get no socket yet. Processes that are no longer wanted are told to end. Returns false if the
 * image is malformed. */
static bool processes_image_restore(struct processes *processes, json_t *json)
{
    json_t *members;
    int port_ssh;
    int port_telnet;
    /* the image of an older program has no bridge */
    if (json_unpack(json, "{s:i, s:i, s:i, s:i, s:o, s?i}", "control", &processes->control,
                    "settings", &processes->settings, "port_ssh", &port_ssh, "port_telnet",
                    &port_telnet, "members", &members, "bridge_listener",
                    &processes->bridge_listener) != 0 ||
        !listeners_from_json(json_object_get(json, "listeners"), &processes->listeners)) {
        return false;
    }
    processes->ports = (struct ports){.ssh = (uint16_t)port_ssh, .telnet = (uint16_t)port_telnet};
    if (!image_bytes_from_json(json_object_get(json, "answers_key"), processes->answers_key,
                               sizeof processes->answers_key)) {
        randombytes_buf(
            processes->answers_key,
            sizeof processes
                ->answers_key); /* the image of an older program does not contain the core's key */
    }
    for (size_t i = 0; i < json_array_size(members); i++) {
        json_t *process = json_array_get(members, i);
        if (!restore_process(processes, process)) {
            return false;
        }
    }
    processes_image_set_kept_across_exec(processes, false);
    return true;
}

void processes_image_set_kept_across_exec(const struct processes *processes, bool is_kept)
{
    image_set_kept_across_exec(processes->control, is_kept);
    image_set_kept_across_exec(processes->settings, is_kept);
    image_set_kept_across_exec(processes->bridge_listener, is_kept);
    listeners_set_kept_across_exec(&processes->listeners, is_kept);
    for (unsigned i = 0; i < processes->count; i++) {
        image_set_kept_across_exec(processes->list[i].core_end, is_kept);
        image_set_kept_across_exec(processes->list[i].own_end, is_kept);
    }
}

#define BACKLOG 64

/* Makes a listening socket; -1 with errno. */
static int listen_at(const struct sockaddr *address, socklen_t len)
{
    const int is_on = 1;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &is_on, sizeof is_on) != 0 ||
                    bind(fd, address, len) != 0 || listen(fd, BACKLOG) != 0)) {
        fd_close_and_reset(&fd);
    }
    return fd;
}

/* Makes the address stand for all addresses of the machine; the port stays. */
static void set_any_address(struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        ((struct sockaddr_in *)address)->sin_addr.s_addr = htonl(INADDR_ANY);
    } else {
        ((struct sockaddr_in6 *)address)->sin6_addr = in6addr_any;
    }
}

/* Listens at the address of the settings. If the machine does not have it, since a router
 * translates addresses, listens at the same port of all addresses. */
static int open_listener(const char *text)
{
    struct sockaddr_storage address;
    int len = sizeof address;
    memset(&address, 0, sizeof address);
    if (evutil_parse_sockaddr_port(text, (struct sockaddr *)&address, &len) != 0) {
        log_event(LOG_LEVEL_ERROR, 0,
                  "[cluster] address: \"%s\" is no IP address with a port, such as 192.0.2.1:4022",
                  text);
        return -1;
    }
    int fd = listen_at((const struct sockaddr *)&address, (socklen_t)len);
    if (fd < 0 && errno == EADDRNOTAVAIL) {
        log_event(LOG_LEVEL_INFO, 0,
                  "this machine does not have the address %s: the bridge listens at all addresses",
                  text);
        set_any_address(&address);
        fd = listen_at((const struct sockaddr *)&address, (socklen_t)len);
    }
    if (fd < 0) {
        (void)log_failure("the bridge cannot listen at %s", text);
    }
    return fd;
}

/* Loads the node's key and opens the socket, unless that was done before. Does nothing if the house
 * has one node. Returns false, with a line on the log, on failure; but in a house that is open
 * already, the socket may be missing. */
static bool processes_node_prepare(struct processes *processes)
{
    const struct config *config = processes->setup->config;
    if (config->cluster_node == 0) {
        return true;
    }
    if (!node_key_load(&processes->node_key, processes->dir->node_key)) {
        return false;
    }
    return processes_node_listen(processes) || processes->list[PROCESS_CORE].is_resumed;
}

/* Opens the socket unless it is open. Returns false, with a line on the log, on failure. */
static bool processes_node_listen(struct processes *processes)
{
    if (processes->bridge_listener < 0) {
        processes->bridge_listener = open_listener(processes->setup->config->cluster_address);
    }
    return processes->bridge_listener >= 0;
}

/* Returns what the bridge needs. */
static struct bridge_setup processes_node_make_bridge_setup(const struct processes *processes)
{
    const struct process *bridge = &processes->list[processes->count - 1];
    struct bridge_setup setup = {
        .core_socket = bridge->own_end,
        .gate_socket = processes->list[PROCESS_GATE].core_end,
        .listener = processes->bridge_listener,
        .private_key = processes->node_key.private_text,
        .rekey_bytes = (uint64_t)processes->setup->config->ssh_rekey_mib << 20,
        .metrics = {processes->metrics.page, LIFE_FIRST + processes->count - 1},
    };
    for (unsigned i = PROCESS_WORKERS; i < processes->count; i++) {
        const struct process *process = &processes->list[i];
        bool is_carried = strcmp(process->name, "auth") == 0 || strcmp(process->name, "bot") == 0;
        if (is_carried && setup.worker_count < BRIDGE_WORKERS_MAX) {
            setup.workers[setup.worker_count].socket = process->core_end;
            setup.workers[setup.worker_count].kind = process->name;
            setup.worker_count++;
        }
    }
    return setup;
}

#define BOTS_MAX 4

#define QUICK_MS 1000 /* a process that dies within this time after its start has died quickly */
/* number of quick deaths in succession after which the house gives up */
#define QUICK_DEATHS_MAX 8
#define PAUSE_FIRST_MS 100 /* pause before a restart; doubles with each further quick death */

/* What a worker needs from the supervisor. */
struct worker_setup {
    int core_socket;
    struct metrics metrics;
};

static_assert(LIFE_FIRST + PROCESS_GATE == LIFE_GATE,
              "the gate finds its own place on the page of metrics");
static_assert(PROCESSES_MAX <= LIFE_PROCESSES - LIFE_FIRST,
              "every process needs a place on the page of metrics");

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
    const struct worker_setup *setup = context;
    return auth_run(setup->core_socket, &setup->metrics);
}

static int run_bot(const void *context)
{
    const struct worker_setup *setup = context;
    return bot_run(setup->core_socket, &setup->metrics);
}

static int run_hook(const void *context)
{
    return hook_run(context);
}

static int run_bridge(const void *context)
{
    return bridge_run(context);
}

static void add_process(struct processes *processes, const char *name,
                        int (*run)(const void *context))
{
    processes->list[processes->count++] =
        (struct process){.name = name, .run = run, .core_end = -1, .own_end = -1, .ready = -1};
}

/* Makes the socket pairs between the core and the other processes. Processes that were resumed have
 * theirs already. */
static bool make_socket_pairs(struct processes *processes)
{
    for (unsigned i = PROCESS_GATE; i < processes->count; i++) {
        struct process *process = &processes->list[i];
        int ends[2];
        if (process->is_resumed) {
            continue;
        }
        if (packet_make_socket_pair(ends) != 0) {
            return false;
        }
        process->core_end = ends[0];
        process->own_end = ends[1];
    }
    return true;
}

/* Returns one process for each core that the house may use (taskset(1) may limit them). */
static unsigned choose_bot_process_count(void)
{
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    return count > BOTS_MAX ? BOTS_MAX : (unsigned)count;
}

static struct ports read_configured_ports(const struct config *config)
{
    return (struct ports){
        .ssh = (uint16_t)config->listen_ssh_port,
        .telnet = config->listen_telnet ? (uint16_t)config->listen_telnet_port : 0,
    };
}

/* Fills the list of processes. Their sockets are made later. */
static void init_process_list(struct processes *processes, const struct supervisor_setup *setup,
                              const struct data_dir *dir, struct metrics_page *page)
{
    *processes = (struct processes){.setup = setup,
                                    .dir = dir,
                                    .metrics = {page, LIFE_SUPERVISOR},
                                    .control = -1,
                                    .settings = -1,
                                    .bridge_listener = -1,
                                    .ports = read_configured_ports(setup->config)};
    add_process(processes, "core", run_core);
    add_process(processes, "gate", run_gate);
    for (unsigned i = 0; i < setup->config->limits_password_workers; i++) {
        add_process(processes, "auth", run_auth);
    }
    for (unsigned i = 0; i < choose_bot_process_count(); i++) {
        add_process(processes, "bot", run_bot);
    }
    if (setup->config->webhook_enabled) {
        add_process(processes, "hook", run_hook);
    }
    if (setup->config->cluster_node != 0) {
        add_process(processes, "bridge", run_bridge);
    }
}

/* Returns the metrics of a process of the list. */
static struct metrics make_metrics_of(const struct processes *processes,
                                      const struct process *process)
{
    return (struct metrics){processes->metrics.page,
                            LIFE_FIRST + (unsigned)(process - processes->list)};
}

/* Notes on the page which processes run, after the supervisor has executed its program again: the
 * page may be new, and the list of processes may have changed. */
static void note_resumed_processes(const struct processes *processes)
{
    for (unsigned i = 0; i < processes->count; i++) {
        const struct process *process = &processes->list[i];
        if (process->pid > 0) {
            life_note_resumed(&processes->metrics, LIFE_FIRST + i, process->name, process->pid);
        }
    }
    for (unsigned i = LIFE_FIRST + processes->count; i < LIFE_PROCESSES; i++) {
        life_forget(&processes->metrics, i);
    }
}

bool processes_prepare(struct processes *processes, const struct supervisor_setup *setup,
                       const struct data_dir *dir, struct metrics_page *page)
{
    init_process_list(processes, setup, dir, page);
    processes->listeners = setup->listeners;
    processes->control = control_socket_listen(dir->path);
    processes->settings = gate_settings_make_file();
    randombytes_buf(processes->answers_key, sizeof processes->answers_key);
    return processes->control >= 0 && processes->settings >= 0 &&
           processes_node_prepare(processes) && make_socket_pairs(processes);
}

bool processes_resume(struct processes *processes, const struct supervisor_setup *setup,
                      const struct data_dir *dir, struct metrics_page *page, json_t *image)
{
    init_process_list(processes, setup, dir, page);
    bool is_restored = processes_image_restore(processes, image) &&
                       processes_node_prepare(processes) && make_socket_pairs(processes);
    note_resumed_processes(processes);
    return is_restored;
}

static void ask_process_to_end(struct process *process, int signal_number)
{
    if (process->pid > 0) {
        process->is_leaving = true;
        process->silent_ms = 0;
        kill(process->pid, signal_number);
    }
}

void processes_begin_replacement(struct processes *processes)
{
    processes->is_replacing = true;
    ask_process_to_end(&processes->list[PROCESS_CORE], SIGUSR1);
}

/* Replaces the gate and the workers, once the core runs the new program. */
static void replace_gate_and_workers(struct processes *processes)
{
    processes->is_replacing = false;
    if (!gate_settings_write(processes->settings, processes->setup->program,
                             processes->setup->config)) {
        log_failure("cannot give the gate its new settings");
    } else if (processes->list[PROCESS_GATE].pid > 0) {
        kill(processes->list[PROCESS_GATE].pid,
             SIGUSR1); /* the gate executes the new program and stays the same process */
    }
    for (unsigned i = PROCESS_WORKERS; i < processes->count; i++) {
        ask_process_to_end(&processes->list[i], SIGTERM);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "reloaded", LOG_PAIRS("version", TRICKHOUSE_VERSION));
}

void processes_close_descriptors(struct processes *processes)
{
    fd_close_and_reset(&processes->control);
    fd_close_and_reset(&processes->settings);
    listeners_close(&processes->listeners);
    node_key_clear(&processes->node_key);
    fd_close_and_reset(&processes->bridge_listener);
    for (unsigned i = 0; i < processes->count; i++) {
        fd_close_and_reset(&processes->list[i].core_end);
        fd_close_and_reset(&processes->list[i].own_end);
        fd_close_and_reset(&processes->list[i].ready);
    }
}

static enum peer worker_kind_of(const struct process *process)
{
    return process->run == run_auth ? PEER_AUTH : process->run == run_hook ? PEER_HOOK : PEER_BOT;
}

static struct core_setup make_core_setup(const struct processes *processes, int ready_fd)
{
    struct core_setup setup = {
        .database = processes->dir->database,
        .backups = processes->dir->backups,
        .program = processes->setup->program,
        .args = processes->setup->args,
        .control_socket = processes->control,
        .was_open = processes->list[PROCESS_CORE].is_ready,
        .config = processes->setup->config,
        .ready_fd = ready_fd,
        .gate_socket = processes->list[PROCESS_GATE].core_end,
        .bridge_socket = -1,
        .node_key = processes->node_key.public_text,
        .answers_key = processes->answers_key,
        .metrics = make_metrics_of(processes, &processes->list[PROCESS_CORE]),
        .fatal = processes->fatal,
        .has_died = processes->last_work != 0,
    };
    for (unsigned i = PROCESS_WORKERS; i < processes->count; i++) {
        const struct process *process = &processes->list[i];
        if (process->run == run_bridge) {
            setup.bridge_socket = process->core_end;
            continue;
        }
        setup.workers[setup.worker_count].socket = process->core_end;
        setup.workers[setup.worker_count].kind = worker_kind_of(process);
        setup.worker_count++;
    }
    return setup;
}

static struct gate_setup make_gate_setup(const struct processes *processes, int64_t first_conn,
                                         int ready_fd)
{
    return (struct gate_setup){
        .core_socket = processes->list[PROCESS_GATE].own_end,
        .ready_fd = ready_fd,
        .settings = processes->settings,
        .host_key = processes->dir->host_key,
        .metrics = make_metrics_of(processes, &processes->list[PROCESS_GATE]),
        .ports = processes->ports,
        .listeners = &processes->listeners,
        .is_renewable = true,
        .first_conn = first_conn,
        .config = processes->setup->config,
    };
}

static struct hook_setup make_hook_setup(const struct processes *processes,
                                         const struct process *process)
{
    const struct config *config = processes->setup->config;
    return (struct hook_setup){
        .core_socket = process->own_end,
        .user = HOOK_USER,
        .ca_file = config->webhook_ca_file,
        .metrics = make_metrics_of(processes, process),
        .rules = {.is_http_allowed = config->webhook_http,
                  .is_private_allowed = config->webhook_private,
                  .timeout_ms = config->webhook_timeout_ms},
    };
}

static void keep_descriptor_in_child(struct child_plan *plan, int fd)
{
    if (fd >= 0) {
        plan->keep[plan->keep_count++] = fd;
    }
}

static pid_t fork_process(const struct processes *processes, const struct process *process,
                          int ready_fd)
{
    int64_t first_conn = 0;
    if (process->run == run_gate &&
        !data_dir_reserve_conn_numbers(processes->dir, clock_unix_ms(), &first_conn)) {
        return -1;
    }
    struct core_setup core = make_core_setup(processes, ready_fd);
    /* no two nodes have the same connection numbers */
    first_conn += (int64_t)processes->setup->config->cluster_node << NODES_CONN_SHIFT;
    struct gate_setup gate = make_gate_setup(processes, first_conn, ready_fd);
    struct hook_setup hook = make_hook_setup(processes, process);
    struct bridge_setup bridge = processes_node_make_bridge_setup(processes);
    const struct worker_setup worker = {process->own_end, make_metrics_of(processes, process)};
    struct child_plan plan = {
        .name = process->name,
        .group = process->group,
        .reach = REACH_NOTHING,
        .run = process->run,
        .context = &worker,
    };
    keep_descriptor_in_child(&plan, ready_fd);
    keep_descriptor_in_child(&plan, process->own_end);
    if (process->run == run_core) {
        plan.context = &core;
        /* the core may start programs: it starts one to check a backup, or before a reload */
        plan.reach =
            processes->setup->config->storage_url[0] != '\0' ? REACH_DATABASE : REACH_MACHINE;
        keep_descriptor_in_child(&plan, processes->control);
        for (unsigned i = PROCESS_GATE; i < processes->count; i++) {
            keep_descriptor_in_child(&plan, processes->list[i].core_end);
        }
    } else if (process->run == run_gate) {
        plan.context = &gate;
        keep_descriptor_in_child(&plan, processes->settings);
        for (size_t i = 0; i < processes->listeners.count; i++) {
            keep_descriptor_in_child(&plan, processes->listeners.list[i].socket);
        }
        plan.reach = REACH_ALL; /* the gate restricts its sessions one by one */
    } else if (process->run == run_hook) {
        plan.context = &hook;
        plan.reach = REACH_NETWORK;
    } else if (process->run == run_bridge) {
        plan.context = &bridge;
        plan.reach = REACH_NODES;
        keep_descriptor_in_child(&plan, bridge.listener);
        keep_descriptor_in_child(&plan, bridge.gate_socket);
        for (unsigned i = 0; i < bridge.worker_count; i++) {
            keep_descriptor_in_child(&plan, bridge.workers[i].socket);
        }
    }
    return child_fork(&plan);
}

static bool reports_readiness(const struct process *process)
{
    return process->run == run_core || process->run == run_gate;
}

static void start_process(struct processes *processes, struct process *process)
{
    int ready[2] = {-1, -1};
    fd_close_and_reset(&process->ready);
    process->started_ms = clock_steady_ms();
    if ((reports_readiness(process) && pipe2(ready, O_CLOEXEC | O_NONBLOCK) != 0) ||
        (process->run == run_bridge && !processes_node_listen(processes))) {
        process->pid = -1;
    } else {
        process->pid = fork_process(processes, process, ready[1]);
    }
    fd_close_and_reset(&ready[1]);
    if (process->pid < 0) {
        log_failure("cannot start %s", process->name);
        fd_close_and_reset(&ready[0]);
        process->pid = 0;
        process->due_ms = process->started_ms + QUICK_MS;
        return;
    }
    log_pairs(LOG_LEVEL_INFO, 0, "start",
              LOG_PAIRS("process", process->name, "pid", LOG_NUMBER(process->pid)));
    life_note_start(&processes->metrics, make_metrics_of(processes, process).process, process->name,
                    process->pid);
    process->ready = ready[0];
    process->has_reported = false;
    process->is_loading = false;
    process->is_waiting = false;
    process->silent_ms = 0;
    if (process->group == 0 || setpgid(process->pid, process->group) != 0) {
        process->group = process->pid;
        setpgid(process->pid, process->pid); /* fails if the child has set its group already */
    }
}

void processes_start_all_due(struct processes *processes)
{
    for (unsigned i = 0; i < processes->count; i++) {
        struct process *process = &processes->list[i];
        if (process->pid == 0 && process->due_ms <= clock_steady_ms()) {
            start_process(processes, process);
        }
    }
}

int processes_next_work_in_ms(const struct processes *processes)
{
    int64_t now_ms = clock_steady_ms();
    int64_t wait_ms = LIFE_EVERY_MS; /* also for the next look at whether the core hangs */
    for (unsigned i = 0; i < processes->count; i++) {
        const struct process *process = &processes->list[i];
        if (process->pid == 0) {
            int64_t own_ms = process->due_ms > now_ms ? process->due_ms - now_ms : 0;
            wait_ms = own_ms < wait_ms ? own_ms : wait_ms;
        }
    }
    return (int)wait_ms;
}

static void log_process_death(const struct process *process, int status)
{
    bool is_signal = WIFSIGNALED(status);
    log_pairs(LOG_LEVEL_WARN, 0, "died",
              LOG_PAIRS("process", process->name, "pid", LOG_NUMBER(process->pid),
                        is_signal ? "signal" : "status",
                        LOG_NUMBER(is_signal ? WTERMSIG(status) : WEXITSTATUS(status))));
}

/* A core that gave the house to another node leaves without being told to by this process. */
static bool gave_up_house(const struct process *process, int status)
{
    return process->run == run_core && WIFEXITED(status) &&
           WEXITSTATUS(status) == CORE_GAVE_UP_HOUSE;
}

/* Notes what the core worked on when it died. After two deaths in a row of the same, the next cores
 * refuse it, and the house need not give up. */
static void note_fatal_work(struct processes *processes)
{
    uint64_t work = life_get_work(&processes->metrics, LIFE_FIRST + PROCESS_CORE);
    if (work != 0 && work == processes->last_work) {
        processes->fatal[processes->fatal_count++ % CORE_FATAL_MAX] = work;
        processes->list[PROCESS_CORE].quick_deaths = 0;
    }
    processes->last_work = work;
}

static bool record_process_death(struct processes *processes, struct process *process, int status)
{
    int64_t now_ms = clock_steady_ms();
    bool is_expected = process->is_leaving || gave_up_house(process, status);
    if (!is_expected) {
        log_process_death(process, status);
        life_note_death(&processes->metrics, make_metrics_of(processes, process).process);
    }
    if (!is_expected && process->run == run_core) {
        note_fatal_work(processes);
    }
    process->pid = 0;
    process->due_ms = now_ms;
    process->is_leaving = false;
    if (is_expected) {
        return true;
    }
    if (reports_readiness(process) && !process->is_ready) {
        return false;
    }
    if (now_ms - process->started_ms >= QUICK_MS) {
        process->quick_deaths = 0;
        return true;
    }
    process->quick_deaths += process->quick_deaths < QUICK_DEATHS_MAX;
    if (process->quick_deaths > 1) {
        process->due_ms += PAUSE_FIRST_MS << (process->quick_deaths - 2);
    }
    /* a process that exits has said on the log what it lacks, and may find it later */
    if (process->quick_deaths == QUICK_DEATHS_MAX && WIFSIGNALED(status)) {
        log_event(LOG_LEVEL_ERROR, 0, "%s died %u times within a second of its start",
                  process->name, process->quick_deaths);
        return false;
    }
    return true;
}

struct process *processes_find_by_pid(struct processes *processes, pid_t pid)
{
    for (unsigned i = 0; i < processes->count; i++) {
        if (processes->list[i].pid == pid) {
            return &processes->list[i];
        }
    }
    return NULL;
}

bool processes_reap(struct processes *processes)
{
    bool is_of_use = true;
    pid_t pid;
    int status;
    /* a process may have reported that it is ready just before its death */
    processes_read_readiness(processes);
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct process *process = processes_find_by_pid(processes, pid);
        if (process != NULL && !record_process_death(processes, process, status)) {
            is_of_use = false;
        }
        if (process == NULL && WIFSIGNALED(status)) { /* a session that outlived its gate */
            log_pairs(LOG_LEVEL_WARN, 0, "died",
                      LOG_PAIRS("process", "session", "pid", LOG_NUMBER(pid), "signal",
                                LOG_NUMBER(WTERMSIG(status))));
        }
    }
    return is_of_use;
}

void processes_read_readiness(struct processes *processes)
{
    for (unsigned i = 0; i < processes->count; i++) {
        struct process *process = &processes->list[i];
        char text[PORTS_TEXT_MAX];
        ssize_t got = process->ready >= 0 ? read(process->ready, text, sizeof text - 1) : -1;
        if (got < 0) {
            continue;
        }
        process->silent_ms = 0;
        if (got == 0 || process->run != run_core) {
            fd_close_and_reset(&process->ready);
        }
        bool is_new = !process->has_reported && got > 0;
        process->has_reported = process->has_reported || got > 0;
        if (got > 0 && process->run == run_core) {
            process->is_loading = text[got - 1] == CORE_IS_LOADING;
            process->is_waiting =
                text[got - 1] == CORE_IS_WAITING || (process->is_waiting && process->is_loading);
        }
        process->is_ready = process->is_ready || got > 0;
        if (is_new && process->run == run_core && processes->is_replacing) {
            replace_gate_and_workers(processes);
        }
        if (got > 0 && process->run == run_gate) {
            text[got] = '\0';
            processes->ports = ports_parse(text);
        }
    }
}

bool processes_can_be_replaced(const struct processes *processes)
{
    return processes->list[PROCESS_CORE].is_ready && processes->list[PROCESS_GATE].is_ready;
}

bool processes_are_ready(const struct processes *processes)
{
    return processes_can_be_replaced(processes) && !processes->list[PROCESS_CORE].is_waiting;
}
