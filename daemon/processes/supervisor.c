#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/bridge/bridge.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/workers/workers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
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
#include <unistd.h>

#define PROCESSES_MAX (3 + CORE_WORKERS_MAX) /* core, gate, workers and bridge */
#define BOTS_MAX 4

#define QUICK_MS 1000 /* a process that dies within this time after its start has died quickly */
/* number of quick deaths in succession after which the house gives up */
#define QUICK_DEATHS_MAX 8
#define PAUSE_FIRST_MS 100 /* pause before a restart; doubles with each further quick death */

#define BRIDGE_SILENT_MS 5000
#define COUNTED_MS 2000 /* most that the time since the last look counts */

#define NUMBER_MAX 16 /* room for a descriptor as text */
#define RUNNING (-1)  /* the exit status is not known yet: the house stays open */

/* The kinds of processes (`kinds`), in the order in which they are listed, started and ended. */
enum kind {
    KIND_CORE,
    KIND_GATE,
    KIND_AUTH,
    KIND_BOT,
    KIND_HOOK,
    KIND_BRIDGE,
};

/* Indices in the list of processes. */
enum {
    PROCESS_CORE = KIND_CORE,
    PROCESS_GATE = KIND_GATE,
    PROCESS_WORKERS, /* of the first worker; after the workers comes the bridge, if any */
};

struct process {
    enum kind kind;
    int core_end; /* the core's end and the process's end of their socket pair; -1 for
                     the core itself */
    int own_end;
    pid_t pid;          /* process id; 0 while it does not run */
    pid_t group;        /* process group; sessions belong to the group of the gate */
    int64_t started_ms; /* time of the last start; all times in this struct are monotonic */
    int64_t due_ms;     /* time of the next start, for a process that does not run */
    unsigned quick_deaths;
    int ready; /* pipe on which the process reports that it is ready, and the core later that it
                  does not hang; -1 for processes that have nothing more to report */
    bool is_ready;
    bool is_resumed;   /* the process kept running when the supervisor executed its program again */
    bool is_leaving;   /* the process was told to end, so that its successor can start */
    bool has_reported; /* this process has reported since it was started */
    bool is_loading;   /* only for the core: it has reported that it loads its data */
    bool is_waiting;   /* only for the core: it has reported that it waits for its data */
    int64_t silent_ms; /* time since it last gave a sign of life, or was told to end */
    int64_t seen_ms;   /* when it last gave a sign of life on the page of metrics (metrics.h) */
};

struct supervisor {
    const struct supervisor_setup *setup;
    struct data_dir dir;
    struct metrics metrics;
    int signals;
    struct log_writer log; /* the process that writes house.log or to the journal, if any */
    json_t *image;         /* the state before an exec; NULL: the house is new */
    bool is_announced;
    bool is_waiting;   /* systemd was told that the house waits */
    bool is_to_reload; /* a signal has asked for a reload, which waits until the house can */
    int control;       /* listening socket for operators; -1: none */
    struct listeners listeners; /* those that systemd has opened; each gate gets them */
    int settings; /* file with the settings for the gate's reloads (gate/gate.h); -1: none */
    uint8_t answers_key[CORE_KEY_BYTES]; /* key with which each core of this house encrypts stored
                                            answers; kept in memory only */
    struct node_key node_key;            /* stays the same when the bridge restarts */
    int bridge_listener;                 /* socket at which the bridge listens; -1: none */
    uint64_t last_work; /* what the core worked on at its last death (metrics.h); 0: nothing */
    uint64_t fatal[CORE_FATAL_MAX]; /* core_setup.fatal; the oldest is overwritten */
    unsigned fatal_count;
    bool is_replacing;  /* the core is being replaced; the other processes follow */
    struct ports ports; /* the configured ports (0: a free one); once the gate is ready, the ports
                           on which it listens */
    unsigned count;
    struct process list[PROCESSES_MAX]; /* core, gate, workers and bridge, in this order */
};

/* What a process gets from the supervisor when it starts. */
struct start {
    const struct supervisor *supervisor;
    const struct process *process;
    int ready_fd;       /* on which it reports that it is ready; -1: it does not */
    int64_t first_conn; /* the first connection number of a gate */
};

static_assert(LIFE_FIRST + (int)PROCESS_GATE == (int)LIFE_GATE,
              "the gate finds its own place on the page of metrics");
static_assert(PROCESSES_MAX <= LIFE_PROCESSES - LIFE_FIRST,
              "every process needs a place on the page of metrics");

/* Returns the metrics of a process of the list. */
static struct metrics make_metrics_of(const struct supervisor *supervisor,
                                      const struct process *process)
{
    return (struct metrics){supervisor->metrics.page,
                            LIFE_FIRST + (unsigned)(process - supervisor->list)};
}

/* Nodes carry the messages of these workers to the node that holds the house. */
static bool is_carried(const struct process *process)
{
    return process->kind == KIND_AUTH || process->kind == KIND_BOT;
}

static enum peer peer_of(enum kind kind)
{
    return kind == KIND_AUTH ? PEER_AUTH : kind == KIND_HOOK ? PEER_HOOK : PEER_BOT;
}

static int run_core(const struct start *start)
{
    const struct supervisor *supervisor = start->supervisor;
    struct core_setup setup = {
        .database = supervisor->dir.database,
        .backups = supervisor->dir.backups,
        .program = supervisor->setup->program,
        .args = supervisor->setup->args,
        .control_socket = supervisor->control,
        .was_open = start->process->is_ready,
        .config = supervisor->setup->config,
        .ready_fd = start->ready_fd,
        .gate_socket = supervisor->list[PROCESS_GATE].core_end,
        .bridge_socket = -1,
        .node_key = supervisor->node_key.public_text,
        .answers_key = supervisor->answers_key,
        .metrics = make_metrics_of(supervisor, start->process),
        .fatal = supervisor->fatal,
        .has_died = supervisor->last_work != 0,
    };
    for (unsigned i = PROCESS_WORKERS; i < supervisor->count; i++) {
        const struct process *process = &supervisor->list[i];
        if (process->kind == KIND_BRIDGE) {
            setup.bridge_socket = process->core_end;
            continue;
        }
        setup.workers[setup.worker_count].socket = process->core_end;
        setup.workers[setup.worker_count].kind = peer_of(process->kind);
        setup.worker_count++;
    }
    return core_run(&setup);
}

static int run_gate(const struct start *start)
{
    const struct supervisor *supervisor = start->supervisor;
    return gate_run(&(struct gate_setup){
        .core_socket = start->process->own_end,
        .ready_fd = start->ready_fd,
        .settings = supervisor->settings,
        .host_key = supervisor->dir.host_key,
        .metrics = make_metrics_of(supervisor, start->process),
        .ports = supervisor->ports,
        .listeners = &supervisor->listeners,
        .is_renewable = true,
        .first_conn = start->first_conn,
        .config = supervisor->setup->config,
    });
}

static int run_auth(const struct start *start)
{
    const struct metrics metrics = make_metrics_of(start->supervisor, start->process);
    return auth_run(start->process->own_end, &metrics);
}

static int run_bot(const struct start *start)
{
    const struct metrics metrics = make_metrics_of(start->supervisor, start->process);
    return bot_run(start->process->own_end, &metrics);
}

static int run_hook(const struct start *start)
{
    const struct config *config = start->supervisor->setup->config;
    return hook_run(&(struct hook_setup){
        .core_socket = start->process->own_end,
        .user = HOOK_USER,
        .ca_file = config->webhook_ca_file,
        .metrics = make_metrics_of(start->supervisor, start->process),
        .rules = {.is_http_allowed = config->webhook_http,
                  .is_private_allowed = config->webhook_private,
                  .timeout_ms = config->webhook_timeout_ms},
    });
}

static int run_bridge(const struct start *start)
{
    const struct supervisor *supervisor = start->supervisor;
    struct bridge_setup setup = {
        .core_socket = start->process->own_end,
        .gate_socket = supervisor->list[PROCESS_GATE].core_end,
        .listener = supervisor->bridge_listener,
        .private_key = supervisor->node_key.private_text,
        .rekey_bytes = (uint64_t)supervisor->setup->config->ssh_rekey_mib << 20,
        .metrics = make_metrics_of(supervisor, start->process),
    };
    for (unsigned i = PROCESS_WORKERS; i < supervisor->count; i++) {
        const struct process *process = &supervisor->list[i];
        if (is_carried(process) && setup.worker_count < BRIDGE_WORKERS_MAX) {
            setup.workers[setup.worker_count].socket = process->core_end;
            setup.workers[setup.worker_count].kind = process->kind == KIND_AUTH ? "auth" : "bot";
            setup.worker_count++;
        }
    }
    return bridge_run(&setup);
}

static const struct {
    const char *name;
    int (*run)(const struct start *start);
    enum reach reach;
    bool reports; /* that it is ready, and the core later that it does not hang */
    int stop_ms;  /* time to end in good order; the core says goodbye and closes the data */
} kinds[] = {
    /* the core may start programs: it starts one to check a backup, or before a reload */
    [KIND_CORE] = {"core", run_core, REACH_MACHINE, true, 5000},
    /* the gate restricts its sessions one by one */
    [KIND_GATE] = {"gate", run_gate, REACH_ALL, true, 4000},
    [KIND_AUTH] = {"auth", run_auth, REACH_NOTHING, false, 1000},
    [KIND_BOT] = {"bot", run_bot, REACH_NOTHING, false, 1000},
    [KIND_HOOK] = {"hook", run_hook, REACH_NETWORK, false, 1000},
    [KIND_BRIDGE] = {"bridge", run_bridge, REACH_NODES, false, 1000},
};

static const char *name_of(const struct process *process)
{
    return kinds[process->kind].name;
}

/* The names of members in the image. A newer program reads the image of an older one, so the
 * meaning of a name never changes. */

static json_t *make_image(const struct supervisor *supervisor)
{
    const struct log_writer *log = &supervisor->log;
    bool has_log = log->pid != 0;
    json_t *members = json_array();
    for (unsigned i = 0; i < supervisor->count; i++) {
        const struct process *process = &supervisor->list[i];
        (void)json_array_append_new(
            members, json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", name_of(process), "pid",
                               (int)process->pid, "group", (int)process->group, "core_end",
                               process->core_end, "own_end", process->own_end));
    }
    json_t *crew = json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "control", supervisor->control,
        "bridge_listener", supervisor->bridge_listener, "settings", supervisor->settings,
        "port_ssh", supervisor->ports.ssh, "port_telnet", supervisor->ports.telnet, "answers_key",
        image_bytes_to_json(supervisor->answers_key, sizeof supervisor->answers_key), "members",
        members, "listeners", listeners_to_json(&supervisor->listeners));
    return json_pack("{s:i, s:o, s:i, s:i, s:i}", "lock", supervisor->dir.lock, "crew", crew,
                     "log_input", has_log ? log->setup.input : -1, "log_pid", (int)log->pid,
                     "log_stream", has_log ? log->setup.stream : -1);
}

static void set_kept_across_exec(const struct supervisor *supervisor, bool is_kept)
{
    const struct log_writer *log = &supervisor->log;
    const int descriptors[] = {supervisor->control,
                               supervisor->settings,
                               supervisor->bridge_listener,
                               supervisor->dir.lock,
                               log->pid != 0 ? log->setup.input : -1,
                               log->pid != 0 ? log->setup.stream : -1};
    for (size_t i = 0; i < ARRAY_LEN(descriptors); i++) {
        image_set_kept_across_exec(descriptors[i], is_kept);
    }
    listeners_set_kept_across_exec(&supervisor->listeners, is_kept);
    for (unsigned i = 0; i < supervisor->count; i++) {
        image_set_kept_across_exec(supervisor->list[i].core_end, is_kept);
        image_set_kept_across_exec(supervisor->list[i].own_end, is_kept);
    }
}

/* Finds the first process with this name that has not been restored yet. */
static struct process *find_unrestored_process(struct supervisor *supervisor, const char *name)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        struct process *process = &supervisor->list[i];
        if (!process->is_resumed && strcmp(name_of(process), name) == 0) {
            return process;
        }
    }
    return NULL;
}

static bool restore_process(struct supervisor *supervisor, json_t *json)
{
    const char *name;
    int pid, group, core_end, own_end;
    if (json_unpack(json, "{s:s, s:i, s:i, s:i, s:i}", "name", &name, "pid", &pid, "group", &group,
                    "core_end", &core_end, "own_end", &own_end) != 0) {
        return false;
    }
    struct process *process = find_unrestored_process(supervisor, name);
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

/* Restores sockets and processes from the image. Saved processes are matched by name and order and
 * keep running. New processes get no socket yet. Processes that are no longer wanted are told to
 * end. Returns false if the image is malformed. */
static bool restore_processes(struct supervisor *supervisor, const json_t *crew)
{
    const json_t *members = json_object_get(crew, "members");
    const json_t *ssh = json_object_get(crew, "port_ssh");
    const json_t *telnet = json_object_get(crew, "port_telnet");
    supervisor->control = image_read_descriptor(crew, "control");
    supervisor->settings = image_read_descriptor(crew, "settings");
    supervisor->bridge_listener = image_read_descriptor(crew, "bridge_listener");
    supervisor->ports = (struct ports){.ssh = (uint16_t)json_integer_value(ssh),
                                       .telnet = (uint16_t)json_integer_value(telnet)};
    if (!image_bytes_from_json(json_object_get(crew, "answers_key"), supervisor->answers_key,
                               sizeof supervisor->answers_key)) {
        /* the image of an older program does not contain the core's key */
        randombytes_buf(supervisor->answers_key, sizeof supervisor->answers_key);
    }
    bool is_restored =
        listeners_from_json(json_object_get(crew, "listeners"), &supervisor->listeners);
    for (size_t i = 0; is_restored && i < json_array_size(members); i++) {
        is_restored = restore_process(supervisor, json_array_get(members, i));
    }
    set_kept_across_exec(supervisor, false);
    return is_restored;
}

/* Opens the socket of the bridge unless it is open. Returns false, with a line on the log, on
 * failure. */
static bool listen_for_nodes(struct supervisor *supervisor)
{
    if (supervisor->bridge_listener < 0) {
        supervisor->bridge_listener = node_listen(supervisor->setup->config->cluster_address);
    }
    return supervisor->bridge_listener >= 0;
}

/* Loads the node's key and opens the socket, unless that was done before. Does nothing if the house
 * has one node. Returns false, with a line on the log, on failure; but in a house that is open
 * already, the socket may be missing. */
static bool prepare_node(struct supervisor *supervisor)
{
    return supervisor->setup->config->cluster_node == 0 ||
           (node_key_load(&supervisor->node_key, supervisor->dir.node_key) &&
            (listen_for_nodes(supervisor) || supervisor->list[PROCESS_CORE].is_resumed));
}

/* Makes the socket pairs between the core and the other processes. Processes that were resumed have
 * theirs already. */
static bool make_socket_pairs(struct supervisor *supervisor)
{
    for (unsigned i = PROCESS_GATE; i < supervisor->count; i++) {
        struct process *process = &supervisor->list[i];
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

static void add_processes(struct supervisor *supervisor, enum kind kind, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        supervisor->list[supervisor->count++] =
            (struct process){.kind = kind, .core_end = -1, .own_end = -1, .ready = -1};
    }
}

/* Fills the list of processes. Their sockets are made later. */
static void list_processes(struct supervisor *supervisor)
{
    const struct config *config = supervisor->setup->config;
    supervisor->ports = (struct ports){
        .ssh = (uint16_t)config->listen_ssh_port,
        .telnet = config->listen_telnet ? (uint16_t)config->listen_telnet_port : 0,
    };
    add_processes(supervisor, KIND_CORE, 1);
    add_processes(supervisor, KIND_GATE, 1);
    add_processes(supervisor, KIND_AUTH, config->limits_password_workers);
    add_processes(supervisor, KIND_BOT, choose_bot_process_count());
    add_processes(supervisor, KIND_HOOK, config->webhook_enabled ? 1 : 0);
    add_processes(supervisor, KIND_BRIDGE, config->cluster_node != 0 ? 1 : 0);
}

/* Notes on the page which processes run, after the supervisor has executed its program again: the
 * page may be new, and the list of processes may have changed. */
static void note_resumed_processes(const struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        const struct process *process = &supervisor->list[i];
        if (process->pid > 0) {
            life_note_resumed(&supervisor->metrics, LIFE_FIRST + i, name_of(process), process->pid);
        }
    }
    for (unsigned i = LIFE_FIRST + supervisor->count; i < LIFE_PROCESSES; i++) {
        life_forget(&supervisor->metrics, i);
    }
}

/* Lists the processes and makes their sockets, but starts no process. After an exec, all processes
 * that the image has keep running. Returns false with errno. */
static bool prepare_processes(struct supervisor *supervisor)
{
    list_processes(supervisor);
    if (supervisor->image == NULL) {
        supervisor->listeners = supervisor->setup->listeners;
        supervisor->control = control_socket_listen(supervisor->dir.path);
        supervisor->settings = gate_settings_make_file();
        randombytes_buf(supervisor->answers_key, sizeof supervisor->answers_key);
    } else if (!restore_processes(supervisor, json_object_get(supervisor->image, "crew"))) {
        return false;
    }
    return supervisor->control >= 0 && supervisor->settings >= 0 && prepare_node(supervisor) &&
           make_socket_pairs(supervisor);
}

static void ask_process_to_end(struct process *process, int signal_number)
{
    if (process->pid > 0) {
        process->is_leaving = true;
        process->silent_ms = 0;
        kill(process->pid, signal_number);
    }
}

/* Replaces the gate and the workers, once the core runs the new program. */
static void replace_gate_and_workers(struct supervisor *supervisor)
{
    supervisor->is_replacing = false;
    if (!gate_settings_write(supervisor->settings, supervisor->setup->program,
                             supervisor->setup->config)) {
        log_failure("cannot give the gate its new settings");
    } else if (supervisor->list[PROCESS_GATE].pid > 0) {
        kill(supervisor->list[PROCESS_GATE].pid,
             SIGUSR1); /* the gate executes the new program and stays the same process */
    }
    for (unsigned i = PROCESS_WORKERS; i < supervisor->count; i++) {
        ask_process_to_end(&supervisor->list[i], SIGTERM);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "reloaded", LOG_PAIRS("version", TRICKHOUSE_VERSION));
}

static void close_descriptors(struct supervisor *supervisor)
{
    fd_close_and_reset(&supervisor->control);
    fd_close_and_reset(&supervisor->settings);
    listeners_close(&supervisor->listeners);
    node_key_clear(&supervisor->node_key);
    fd_close_and_reset(&supervisor->bridge_listener);
    for (unsigned i = 0; i < supervisor->count; i++) {
        fd_close_and_reset(&supervisor->list[i].core_end);
        fd_close_and_reset(&supervisor->list[i].own_end);
        fd_close_and_reset(&supervisor->list[i].ready);
    }
}

static void keep_descriptor_in_child(struct child_plan *plan, int fd)
{
    if (fd >= 0) {
        plan->keep[plan->keep_count++] = fd;
    }
}

/* The core answers all others, and the bridge takes its place while another node holds the house.
 */
static void plan_descriptors(struct child_plan *plan, const struct start *start)
{
    const struct supervisor *supervisor = start->supervisor;
    enum kind kind = start->process->kind;
    keep_descriptor_in_child(plan, start->ready_fd);
    keep_descriptor_in_child(plan, start->process->own_end);
    keep_descriptor_in_child(plan, kind == KIND_CORE ? supervisor->control : -1);
    keep_descriptor_in_child(plan, kind == KIND_GATE ? supervisor->settings : -1);
    keep_descriptor_in_child(plan, kind == KIND_BRIDGE ? supervisor->bridge_listener : -1);
    for (size_t i = 0; kind == KIND_GATE && i < supervisor->listeners.count; i++) {
        keep_descriptor_in_child(plan, supervisor->listeners.list[i].socket);
    }
    for (unsigned i = PROCESS_GATE; i < supervisor->count; i++) {
        const struct process *other = &supervisor->list[i];
        bool is_for_bridge = other->kind == KIND_GATE || is_carried(other);
        bool is_kept = kind == KIND_CORE || (kind == KIND_BRIDGE && is_for_bridge);
        keep_descriptor_in_child(plan, is_kept ? other->core_end : -1);
    }
}

static int run_process(const void *context)
{
    const struct start *start = context;
    return kinds[start->process->kind].run(start);
}

static pid_t fork_process(const struct supervisor *supervisor, const struct process *process,
                          int ready_fd)
{
    const struct config *config = supervisor->setup->config;
    struct start start = {.supervisor = supervisor, .process = process, .ready_fd = ready_fd};
    struct child_plan plan = {
        .name = name_of(process),
        .group = process->group,
        .reach = kinds[process->kind].reach,
        .run = run_process,
        .context = &start,
    };
    if (process->kind == KIND_GATE &&
        !data_dir_reserve_conn_numbers(&supervisor->dir, clock_unix_ms(), &start.first_conn)) {
        return -1;
    }
    /* no two nodes have the same connection numbers */
    start.first_conn += (int64_t)config->cluster_node << NODES_CONN_SHIFT;
    if (process->kind == KIND_CORE && config->storage_url[0] != '\0') {
        plan.reach = REACH_DATABASE;
    }
    plan_descriptors(&plan, &start);
    return child_fork(&plan);
}

static void start_process(struct supervisor *supervisor, struct process *process)
{
    int ready[2] = {-1, -1};
    fd_close_and_reset(&process->ready);
    process->started_ms = clock_steady_ms();
    if ((kinds[process->kind].reports && pipe2(ready, O_CLOEXEC | O_NONBLOCK) != 0) ||
        (process->kind == KIND_BRIDGE && !listen_for_nodes(supervisor))) {
        process->pid = -1;
    } else {
        process->pid = fork_process(supervisor, process, ready[1]);
    }
    fd_close_and_reset(&ready[1]);
    if (process->pid < 0) {
        log_failure("cannot start %s", name_of(process));
        fd_close_and_reset(&ready[0]);
        process->pid = 0;
        process->due_ms = process->started_ms + QUICK_MS;
        return;
    }
    log_pairs(LOG_LEVEL_INFO, 0, "start",
              LOG_PAIRS("process", name_of(process), "pid", LOG_NUMBER(process->pid)));
    life_note_start(&supervisor->metrics, make_metrics_of(supervisor, process).process,
                    name_of(process), process->pid);
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

static void start_all_due(struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        struct process *process = &supervisor->list[i];
        if (process->pid == 0 && process->due_ms <= clock_steady_ms()) {
            start_process(supervisor, process);
        }
    }
}

/* Returns the time until the supervisor must look at its processes again, in ms: LIFE_EVERY_MS
 * (metrics.h), or less if a process is to be started before. */
static int find_next_work_in_ms(const struct supervisor *supervisor)
{
    int64_t now_ms = clock_steady_ms();
    int64_t wait_ms = LIFE_EVERY_MS; /* also for the next look at whether the core hangs */
    for (unsigned i = 0; i < supervisor->count; i++) {
        const struct process *process = &supervisor->list[i];
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
              LOG_PAIRS("process", name_of(process), "pid", LOG_NUMBER(process->pid),
                        is_signal ? "signal" : "status",
                        LOG_NUMBER(is_signal ? WTERMSIG(status) : WEXITSTATUS(status))));
}

/* A core that gave the house to another node leaves without being told to by this process. */
static bool gave_up_house(const struct process *process, int status)
{
    return process->kind == KIND_CORE && WIFEXITED(status) &&
           WEXITSTATUS(status) == CORE_GAVE_UP_HOUSE;
}

/* Notes what the core worked on when it died. After two deaths in a row of the same, the next cores
 * refuse it, and the house need not give up. */
static void note_fatal_work(struct supervisor *supervisor)
{
    uint64_t work = life_get_work(&supervisor->metrics, LIFE_FIRST + PROCESS_CORE);
    if (work != 0 && work == supervisor->last_work) {
        supervisor->fatal[supervisor->fatal_count++ % CORE_FATAL_MAX] = work;
        supervisor->list[PROCESS_CORE].quick_deaths = 0;
    }
    supervisor->last_work = work;
}

/* Decides when a process that has died starts again: usually at once; after growing pauses if it
 * repeatedly dies within a second. Returns false, with a line on the log, if restarting is
 * pointless: it was killed by signals too often, or the core or gate of a house that was never open
 * ended. */
static bool record_process_death(struct supervisor *supervisor, struct process *process, int status)
{
    int64_t now_ms = clock_steady_ms();
    bool is_expected = process->is_leaving || gave_up_house(process, status);
    if (!is_expected) {
        log_process_death(process, status);
        life_note_death(&supervisor->metrics, make_metrics_of(supervisor, process).process);
    }
    if (!is_expected && process->kind == KIND_CORE) {
        note_fatal_work(supervisor);
    }
    process->pid = 0;
    process->due_ms = now_ms;
    process->is_leaving = false;
    if (is_expected) {
        return true;
    }
    if (kinds[process->kind].reports && !process->is_ready) {
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
                  name_of(process), process->quick_deaths);
        return false;
    }
    return true;
}

static struct process *find_by_pid(struct supervisor *supervisor, pid_t pid)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        if (supervisor->list[i].pid == pid) {
            return &supervisor->list[i];
        }
    }
    return NULL;
}

/* Finds out which processes have become ready, by reading the pipes on which they report it. */
static void read_readiness(struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        struct process *process = &supervisor->list[i];
        char text[PORTS_TEXT_MAX];
        ssize_t got = process->ready >= 0 ? read(process->ready, text, sizeof text - 1) : -1;
        if (got < 0) {
            continue;
        }
        process->silent_ms = 0;
        if (got == 0 || process->kind != KIND_CORE) {
            fd_close_and_reset(&process->ready);
        }
        bool is_new = !process->has_reported && got > 0;
        process->has_reported = process->has_reported || got > 0;
        if (got > 0 && process->kind == KIND_CORE) {
            process->is_loading = text[got - 1] == CORE_IS_LOADING;
            process->is_waiting =
                text[got - 1] == CORE_IS_WAITING || (process->is_waiting && process->is_loading);
        }
        process->is_ready = process->is_ready || got > 0;
        if (is_new && process->kind == KIND_CORE && supervisor->is_replacing) {
            replace_gate_and_workers(supervisor);
        }
        if (got > 0 && process->kind == KIND_GATE) {
            text[got] = '\0';
            supervisor->ports = ports_parse(text);
        }
    }
}

/* Handles child processes that have died. Returns false if the house cannot go on. */
static bool reap_children(struct supervisor *supervisor)
{
    bool is_of_use = true;
    pid_t pid;
    int status;
    log_writer_restart_if_dead(&supervisor->log);
    /* a process may have reported that it is ready just before its death */
    read_readiness(supervisor);
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct process *process = find_by_pid(supervisor, pid);
        if (process != NULL && !record_process_death(supervisor, process, status)) {
            is_of_use = false;
        }
        if (process == NULL && WIFSIGNALED(status)) { /* a session that outlived its gate */
            log_pairs(LOG_LEVEL_WARN, 0, "died",
                      LOG_PAIRS("process", "session", "pid", LOG_NUMBER(pid), "signal",
                                LOG_NUMBER(WTERMSIG(status))));
        }
    }
    log_writer_restart_if_dead(&supervisor->log); /* the loop may have reaped it */
    return is_of_use;
}

/* True once both core and gate have become ready, also if the core waits for its data. */
static bool can_be_replaced(const struct supervisor *supervisor)
{
    return supervisor->list[PROCESS_CORE].is_ready && supervisor->list[PROCESS_GATE].is_ready;
}

/* True once people can enter. */
static bool are_ready(const struct supervisor *supervisor)
{
    return can_be_replaced(supervisor) && !supervisor->list[PROCESS_CORE].is_waiting;
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

static void stop_process(struct process *process)
{
    if (process->pid > 0) {
        int fd = fd_open_process(process->pid);
        struct pollfd end = {.fd = fd, .events = POLLIN};
        kill(process->pid, SIGTERM);
        (void)poll(&end, 1, kinds[process->kind].stop_ms);
        fd_close(fd);
        if (waitpid(process->pid, NULL, WNOHANG) == 0) {
            log_event(LOG_LEVEL_WARN, 0, "%s %ld did not end and is killed", name_of(process),
                      (long)process->pid);
            kill(process->pid, SIGKILL);
            waitpid(process->pid, NULL, 0);
        }
        process->pid = 0;
    }
    kill_process_group(process->group);
}

/* Ends all processes, one after the other; returns when none is left. */
static void stop_all(struct supervisor *supervisor)
{
    const struct process *gate = &supervisor->list[PROCESS_GATE];
    if (gate->pid > 0 && gate->is_ready) {
        /* lets nobody enter who would only be sent away: new connections wait in the sockets of
         * systemd for the next house, or are refused */
        kill(gate->pid, SIGUSR2);
    }
    for (unsigned i = 0; i < supervisor->count; i++) {
        stop_process(&supervisor->list[i]);
    }
}

/* Returns how long the process may give no sign of life; 0: for ever. A core that still loads its
 * data may take long. Other nodes wait for a bridge, whose work never takes long. */
static int64_t find_silence_limit_ms(const struct supervisor *supervisor, unsigned index)
{
    const struct process *process = &supervisor->list[index];
    if (process->pid <= 0) {
        return 0;
    }
    if (index == PROCESS_CORE) {
        bool is_watched = process->is_leaving ||
                          (process->has_reported && !process->is_loading && process->ready >= 0);
        return is_watched ? core_life_silence_limit_ms(supervisor->setup->config) : 0;
    }
    return process->kind == KIND_BRIDGE && supervisor->metrics.page != NULL ? BRIDGE_SILENT_MS : 0;
}

static void end_if_hanging(struct supervisor *supervisor, unsigned index, int64_t waited_ms)
{
    struct process *process = &supervisor->list[index];
    int64_t limit_ms = find_silence_limit_ms(supervisor, index);
    int64_t seen_ms = life_get_seen_ms(&supervisor->metrics, LIFE_FIRST + index);
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
                  LOG_PAIRS("process", name_of(process), "pid", LOG_NUMBER(process->pid),
                            "silent_ms", LOG_NUMBER(process->silent_ms)));
        process->silent_ms = 0;
        kill(process->pid, SIGKILL);
    }
}

/* Ends processes that hang with SIGKILL: the core if it has reported nothing for
 * core_life_silence_limit_ms, or does not make room for its successor in that time, and a bridge
 * that gives no signs of life. `waited_ms` is the time since the last call; call read_readiness
 * first. */
static void end_hanging(struct supervisor *supervisor, int64_t waited_ms)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        end_if_hanging(supervisor, i, waited_ms);
    }
}

/*
 * Reloads the house: the supervisor executes its program again, or a newer one installed at the
 * same path. The arguments are the same as before (`serve` and its options), and `--resume N`,
 * where N is the descriptor of the supervisor's image. Before that, the supervisor runs the program
 * with `--check`, so that bad settings do not end a running house. Returns only if nothing has
 * changed; the reason is then on the log.
 */
static void reload(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    struct core_reload check = {.program = setup->program, .args = setup->args};
    char why[CORE_RELOAD_WHY_MAX] = "this house has no program to execute";
    if (setup->program == NULL || !core_reload_check(&check, why)) {
        log_event(LOG_LEVEL_ERROR, 0, "the reload is refused, and nothing has changed: %s", why);
        return;
    }
    int image_fd = image_save_to_memory_file(make_image(supervisor));
    if (image_fd < 0) {
        log_failure("the reload failed");
        return;
    }
    char number[NUMBER_MAX];
    (void)snprintf(number, sizeof number, "%d", image_fd);
    char **line = command_line_make(setup->args, "--resume", number);
    set_kept_across_exec(supervisor, true);
    log_pairs(LOG_LEVEL_INFO, 0, "reloading", LOG_PAIRS("program", setup->program));
    execv(setup->program, line);
    log_failure("the reload failed");
    free(line);
    set_kept_across_exec(supervisor, false);
    close(image_fd);
}

/* Maps the page of metrics. After an exec, continues with the page that was mapped before, unless
 * this program has another list of metrics. Without a page the house works all the same. */
static void open_metrics(struct supervisor *supervisor)
{
    const char *folder = supervisor->dir.path;
    bool is_new = supervisor->image == NULL;
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
    supervisor->image = setup->image >= 0 ? image_load_and_close(setup->image) : NULL;
    int lock = image_read_descriptor(supervisor->image, "lock");
    if (setup->image >= 0 && lock < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "the supervisor's image cannot be read");
        return false;
    }
    switch (supervisor->image == NULL ? data_dir_open(&supervisor->dir, path)
                                      : data_dir_reopen_after_exec(&supervisor->dir, path, lock)) {
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
    bool has_log =
        log_writer_begin(&supervisor->log, setup->is_logged_to_file ? supervisor->dir.log : NULL,
                         setup->config, &supervisor->metrics, supervisor->image);
    /* an open house goes on without what fails now, although the check before the reload did not
     * see it; and a reload makes no new key, which nobody would know */
    return supervisor->image != NULL ||
           (is_noted && has_log && host_key_make_if_missing(supervisor->dir.host_key));
}

/* Blocks all signals, so that they can be read from a descriptor. Child processes unblock
 * them (processes.h). */
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
    if (!data_dir_note_supervisor(&supervisor->dir, &supervisor->ports)) {
        log_failure("%s/lock does not tell the ports", supervisor->dir.path);
    }
}

static void report_open_house(struct supervisor *supervisor)
{
    const struct supervisor_setup *setup = supervisor->setup;
    const struct ports *ports = &supervisor->ports;
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
    if (are_ready(supervisor)) {
        report_open_house(supervisor);
    } else if (!supervisor->is_waiting && can_be_replaced(supervisor)) {
        supervisor->is_waiting = true;
        printf(_("%s waits for its data: its log says why\n"),
               supervisor->setup->config->house_name);
        fflush(stdout);
        tell_systemd("READY=1\nSTATUS=The house waits: see its log.");
    }
}

/* Reloads the house, once it can, if a signal has asked for it. */
static void reload_if_asked(struct supervisor *supervisor)
{
    if (supervisor->is_to_reload && can_be_replaced(supervisor)) {
        supervisor->is_to_reload = false;
        tell_systemd("RELOADING=1");
        reload(supervisor);
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
    int status = RUNNING;
    int64_t watched_ms = clock_steady_ms();
    while (status == RUNNING) {
        start_all_due(supervisor);
        struct pollfd wanted[1 + PROCESSES_MAX] = {{.fd = supervisor->signals, .events = POLLIN}};
        for (unsigned i = 0; i < supervisor->count; i++) {
            wanted[1 + i] = (struct pollfd){.fd = supervisor->list[i].ready, .events = POLLIN};
        }
        life_give_sign(&supervisor->metrics, LIFE_WAITS);
        if (poll(wanted, 1 + supervisor->count, find_next_work_in_ms(supervisor)) < 0 &&
            errno != EINTR) {
            log_failure("poll");
            return 1;
        }
        read_readiness(supervisor);
        end_hanging(supervisor, clock_steady_ms() - watched_ms);
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
    bool is_open = prepare_processes(supervisor);
    if (is_open && supervisor->image != NULL) {
        supervisor->is_announced = true;
        note_resumed_processes(supervisor);
        note_supervisor(supervisor);
        tell_systemd("READY=1");
        supervisor->is_replacing = true;
        ask_process_to_end(&supervisor->list[PROCESS_CORE], SIGUSR1);
    }
    return is_open;
}

int supervisor_run(const struct supervisor_setup *setup)
{
    struct supervisor supervisor = {.setup = setup,
                                    .dir = {.lock = -1},
                                    .control = -1,
                                    .settings = -1,
                                    .bridge_listener = -1,
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
    stop_all(&supervisor);
    log_pairs(LOG_LEVEL_INFO, 0, "closed", LOG_PAIRS(NULL));
done:
    close_descriptors(&supervisor);
    fd_close(supervisor.signals);
    json_decref(supervisor.image);
    log_writer_end(&supervisor.log);
    metrics_page_close(supervisor.metrics.page);
    data_dir_close(&supervisor.dir);
    return status;
}
