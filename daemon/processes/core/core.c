#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "games/text.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX 48

char *core_timeline_make_path(const char *database)
{
    const char *end = strrchr(database, '/');
    char *path;
    if (asprintf(&path, "%.*stimeline", end != NULL ? (int)(end + 1 - database) : 0, database) <
        0) {
        abort(); /* out of memory */
    }
    return path;
}

struct cluster_seen core_timeline_read(const char *path)
{
    size_t len;
    char *text = files_read(path, TEXT_MAX, &len);
    char *rest = text;
    struct cluster_seen seen = {0};
    if (text != NULL) {
        seen.timeline = strtoll(text, &rest, 10);
        seen.steps = strtoll(rest, NULL, 10);
    }
    free(text);
    return seen;
}

/* The numbers only rise, so new ones are never shorter than those in the file. */
void core_timeline_write(const char *path, struct cluster_seen seen)
{
    char text[TEXT_MAX];
    int len = snprintf(text, sizeof text, "%" PRId64 " %" PRId64 "\n", seen.timeline, seen.steps);
    int file = files_open_regular(path, O_WRONLY | O_CREAT);
    if (file < 0 || pwrite(file, text, (size_t)len, 0) != len || fdatasync(file) != 0) {
        (void)log_failure("%s", path);
    }
    fd_close(file);
}

#define OWNER_BYTES 16
#define OWNER_SIZE (2 * OWNER_BYTES + 1)
#define MS_PER_S 1000
#define STEPS_EVERY_MS 10000
#define PAUSE_DOUBLINGS_MAX 2 /* the pause between failing tries grows to 1.6 s */

struct core_lease {
    struct core *core;
    struct cluster *cluster;
    char owner[OWNER_SIZE];
    struct event *timer;
    char *timeline_path;
    struct cluster_seen seen; /* as the file has it */
    int64_t timeline_ms;      /* when it was written */
    bool is_over;             /* the core's loop has ended */
    bool is_leaving;          /* this node gives the house to another one */
    bool is_due;              /* the timer has run out */
    unsigned failed_tries;    /* since the last step that succeeded, at most PAUSE_DOUBLINGS_MAX */
    int holder;               /* as it was logged last */
    uint64_t told_changes;    /* changes of the list of nodes that the bridge was told */
    /* The failures that were logged last, so that what lasts is logged once; "": none. */
    char failure[STORAGE_WHY_SIZE];
    char opening_failure[STORAGE_WHY_SIZE];
};

/* == Operators == */

/* Returns the lowest unused connection number for operators; 0 if all are in use. */
static int64_t find_free_operator_conn(const struct core *core)
{
    for (int64_t conn = CORE_CONN_OPERATORS; conn < CORE_CONN_SESSIONS; conn++) {
        if (link_find(&core->links, conn) == NULL) {
            return conn;
        }
    }
    return 0;
}

/* True if the peer is root or the owner of the data folder. This is a second check: the folder's
 * mode already keeps other users out. */
static bool is_peer_root_or_owner(int socket_fd)
{
    struct ucred who;
    socklen_t len = sizeof who;
    return getsockopt(socket_fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
           (who.uid == geteuid() || who.uid == 0);
}

/* Accepts one connection of an operator's program. Returns its socket, or -1 if there is none or
 * the program runs as another user. */
static int accept_one_operator(int socket_fd)
{
    int accepted = accept4(socket_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
        if (errno != EAGAIN && errno != ECONNABORTED) {
            log_event(LOG_LEVEL_WARN, 0, "cannot accept an operator: %s", strerror(errno));
        }
        return -1;
    }
    if (!is_peer_root_or_owner(accepted)) {
        log_event(LOG_LEVEL_WARN, 0, "an operator was refused");
        close(accepted);
        return -1;
    }
    return accepted;
}

/* Adds the link of an operator's program, and closes the socket if there are too many. Returns NULL
 * then. */
static struct link *add_operator(struct core *core, int socket_fd)
{
    int64_t conn = find_free_operator_conn(core);
    if (conn == 0) {
        log_event(LOG_LEVEL_WARN, 0, "an operator was refused");
        close(socket_fd);
        return NULL;
    }
    return core_add_link(core, socket_fd, conn, PEER_OPERATOR);
}

/* Connects an operator's program to the house, which is open. */
static void connect_operator(struct core *core, const struct link *link)
{
    log_event(LOG_LEVEL_INFO, link->conn, "an operator connected");
    core_abort_unless_written(core, house_connect(core->house, clock_unix_ms(), link->conn,
                                                  PEER_OPERATOR, "", "operator"));
}

static void accept_operator(int socket_fd, UNUSED short events, void *context)
{
    struct core *core = context;
    int accepted = accept_one_operator(socket_fd);
    const struct link *link = accepted >= 0 ? add_operator(core, accepted) : NULL;
    if (link != NULL && core->waits == NULL) {
        core_metrics_begin_pass(core);
        connect_operator(core, link);
    }
}

/* Begins to accept operators' programs, if there is a socket for them. */
static void watch_operators(struct core *core)
{
    int socket_fd = core->setup->control_socket;
    if (socket_fd >= 0 && core->operators == NULL) {
        core->operators =
            loop_watch(core->base, socket_fd, EV_READ | EV_PERSIST, accept_operator, core);
    }
}

void core_operators_take_over(struct core *core, int socket_fd)
{
    struct link *link = add_operator(core, socket_fd);
    if (link != NULL) {
        connect_operator(core, link);
        link_ask_to_start_over(link);
    }
}

/* == While the house is not open: operators get an answer == */

#define LINE_MAX_BYTES 512

static void write_sentence(const struct core *core, int holder, char sentence[STORAGE_WHY_SIZE])
{
    if (core->failure[0] != '\0') {
        text_clean_copy_whole_characters(core->failure, sentence, STORAGE_WHY_SIZE);
    } else if (holder == CLUSTER_NOBODY) {
        (void)snprintf(sentence, STORAGE_WHY_SIZE,
                       "no node holds the house at present; this one waits for it");
    } else {
        (void)snprintf(
            sentence, STORAGE_WHY_SIZE,
            "node %d holds the house, and this node is not connected to it at present: try "
            "again in a moment",
            holder);
    }
}

static void greet(const struct core *core, struct link *link)
{
    json_t *message = json_pack("{s:s, s:i, s:s}", "t", "welcome", "protocol", PROTOCOL_NUMBER,
                                "version", TRICKHOUSE_VERSION);
    if (core->failure[0] != '\0') {
        (void)json_object_set_new(message, "waits", text_clean_to_json(core->failure));
    }
    link_send_json(link, message);
}

/* Gives the operator to the node that holds the house, whose core asks the operator's program to
 * start over, or refuses the request. */
static void pass_on_or_refuse(const struct core *core, struct link *link, int64_t id)
{
    int holder = core->lease == NULL ? CLUSTER_NOBODY : core->lease->cluster->list.holder;
    bool is_held_elsewhere =
        holder != CLUSTER_NOBODY && holder != (int)core->setup->config->cluster_node;
    char sentence[STORAGE_WHY_SIZE];
    write_sentence(core, holder, sentence);
    char *refusal = must_format_json(json_pack("{s:s, s:I, s:s, s:s}", "t", "no", "id",
                                               (json_int_t)id, "code", "failed", "why", sentence));
    if (is_held_elsewhere && core_bridge_give_operator(&core->bridge, link->socket, refusal)) {
        link_free(link);
    } else {
        link_send(link, refusal, strlen(refusal));
    }
    free(refusal);
}

static void accept_request(struct link *link, int64_t id)
{
    link_send_json(link, json_pack("{s:s, s:I}", "t", "ok", "id", (json_int_t)id));
}

/* If the check before a reload has ended, answers everybody who has ordered the reload. */
static void answer_reload(const struct core *core, enum core_reload_result result,
                          const char *refused)
{
    struct link *link = result == CORE_RELOAD_NONE ? NULL : LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        int64_t id = link->reload_id;
        link->reload_id = 0;
        if (id != 0) {
            accept_request(link, id);
        }
        if (id != 0 && result == CORE_RELOAD_REFUSED) {
            link_send_json(link, json_pack("{s:s, s:s}", "t", "reload_refused", "why", refused));
        }
    }
}

/* The request is answered only when the check has ended: if this node takes the house before, the
 * operator's program repeats an unanswered request to the house. */
static void reload(struct core *core, struct link *link, int64_t id)
{
    char why[CORE_RELOAD_WHY_MAX];
    if (link->reload_id != 0) {
        accept_request(link, link->reload_id); /* the same check answers the next request */
    }
    link->reload_id = id;
    answer_reload(core, core_reload_order(&core->reload, why), why);
}

static void finish_reload_check(UNUSED int socket, UNUSED short events, void *context)
{
    struct core *core = context;
    char why[CORE_RELOAD_WHY_MAX];
    answer_reload(core, core_reload_finish_check(&core->reload, why), why);
}

static void answer(struct core *core, struct link *link, const json_t *message)
{
    const char *type = json_read_type(message);
    const char *line = json_read_text(message, "line", LINE_MAX_BYTES);
    int64_t id;
    if (strcmp(type, "hello") == 0) {
        greet(core, link);
    } else if (!json_read_number(message, "id", 1, INT64_MAX, &id)) {
        link_free(link);
    } else if (strcmp(type, "ping") == 0) {
        accept_request(link, id);
    } else if (line != NULL && strcmp(line, "reload") == 0) {
        reload(core, link, id);
    } else {
        pass_on_or_refuse(core, link, id);
    }
}

void core_waiting_read(struct core *core, struct link *link)
{
    size_t len;
    enum packet_result result = packet_receive(link->socket, core->buffer, &len, NULL);
    if (result == PACKET_AGAIN) {
        return;
    }
    json_t *message = result == PACKET_OK ? json_read_request(core->buffer, len) : NULL;
    if (message == NULL) {
        link_free(link);
    } else {
        answer(core, link, message);
    }
    json_decref(message);
}

/* Begins to answer operators while another node holds the house, or none does, or the core cannot
 * use its data: the core greets them, says which node holds the house or why it waits, and refuses
 * all commands except `reload`. */
static void begin_waiting(struct core *core)
{
    (void)snprintf(core->failure, sizeof core->failure, CORE_WAITING_NOT_REACHED);
    core->waits =
        loop_watch(core->base, SIGCHLD, EV_SIGNAL | EV_PERSIST, finish_reload_check, core);
    watch_operators(core);
}

/* The operators stay connected. */
static void end_waiting(struct core *core)
{
    if (core->waits != NULL) {
        core_reload_stop_check(&core->reload);
        event_free(core->waits);
        core->waits = NULL;
    }
}

/* Says why the core cannot use its data, borrowed for the call; "": it can. Tells the supervisor,
 * and if no other node serves the people of this one also the gate, which then sends away whoever
 * comes. Call it with every failure, since the gate may be a new one. Returns true if the reason is
 * not that of the last call. */
static bool set_failure(struct core *core, const char *why)
{
    bool is_new = strcmp(core->failure, why) != 0;
    (void)snprintf(core->failure, sizeof core->failure, "%s", why);
    struct link *link = NULL;
    LIST_FOREACH(link, &core->links.all, in_all)
    {
        if (is_new) {
            greet(core, link); /* with the new reason */
        }
    }
    if (why[0] == '\0') {
        return is_new;
    }
    core_life_report(core, CORE_IS_WAITING);
    if (core->bridge.link != NULL) {
        core_bridge_tell_waiting(&core->bridge);
    } else {
        house_away_tell(core->setup->gate_socket, HOUSE_WAITS);
    }
    return is_new;
}

/* == The lease == */

/* The database's functions call this while they wait. */
static bool run_loop_meanwhile(void *context)
{
    struct core_lease *lease = context;
    if (lease->is_over) {
        return true;
    }
    event_base_loop(lease->core->base, EVLOOP_NONBLOCK);
    return !lease->core->is_stopping;
}

/* Names this house by a hash of a key that only its processes have, and that each of its cores
 * gets: so a core takes over from the one before, and no other house can. */
static void name_owner(const struct core_setup *setup, char owner[OWNER_SIZE])
{
    static const unsigned char purpose[] = "owner of a node";
    unsigned char hash[OWNER_BYTES];
    crypto_generichash(hash, sizeof hash, purpose, sizeof purpose, setup->answers_key,
                       CORE_KEY_BYTES);
    sodium_bin2hex(owner, OWNER_SIZE, hash, sizeof hash);
}

static void look_at_nodes(int socket, short events, void *context);

/* Makes the membership of this node. Aborts if memory runs out. */
static struct core_lease *core_lease_new(struct core *core)
{
    const struct core_setup *setup = core->setup;
    const struct config *config = setup->config;
    struct core_lease *lease = must_allocate(sizeof *lease);
    name_owner(setup, lease->owner);
    lease->timeline_path = core_timeline_make_path(setup->database);
    lease->seen = core_timeline_read(lease->timeline_path);
    const struct cluster_options options = {
        .url = config->storage_url,
        .node = (int)config->cluster_node,
        .owner = lease->owner,
        .address = config->cluster_address,
        .key = setup->node_key != NULL ? setup->node_key : "",
        .version = TRICKHOUSE_VERSION,
        .seen = lease->seen,
        .lease_ms = config->cluster_lease_s * MS_PER_S,
        .is_to_go_on = run_loop_meanwhile,
        .context = lease,
    };
    lease->core = core;
    lease->holder = CLUSTER_NOBODY;
    lease->cluster = cluster_new(&options);
    lease->timer = loop_make_event(core->base, -1, EV_PERSIST, look_at_nodes, lease);
    return lease;
}

static bool holds_house(const struct core_lease *lease)
{
    return lease->cluster->list.holder == lease->cluster->options.node;
}

void core_lease_measure(const struct core_lease *lease, const struct metrics *gauges)
{
    if (lease == NULL) {
        return;
    }
    const struct cluster_list *list = &lease->cluster->list;
    uint64_t alive = 0;
    for (size_t i = 0; i < list->count; i++) {
        alive += list->nodes[i].is_alive;
    }
    metrics_set(gauges, METRIC_cluster_nodes, NULL, NULL, alive);
    metrics_set(gauges, METRIC_cluster_holds, NULL, NULL, holds_house(lease));
    metrics_set(gauges, METRIC_cluster_connected, NULL, NULL, lease->core->bridge.reached);
    metrics_set(gauges, METRIC_cluster_commit_seconds, NULL, NULL,
                (uint64_t)lease->cluster->commit_ms / MS_PER_S);
    metrics_set(gauges, METRIC_cluster_holder, NULL, NULL,
                list->holder == CLUSTER_NOBODY ? 0 : (uint64_t)list->holder);
}

/* Logs who holds the house, if that has changed. */
static void log_holder(struct core_lease *lease)
{
    int holder = lease->cluster->list.holder;
    if (holder == lease->holder) {
        return;
    }
    lease->holder = holder;
    log_pairs(LOG_LEVEL_INFO, 0, "holder",
              LOG_PAIRS("node", holder == CLUSTER_NOBODY ? "none" : LOG_NUMBER(holder), "own",
                        LOG_NUMBER(lease->cluster->options.node)));
}

/* Writes what the next core must know of the database: a new timeline at once, the steps once in a
 * while. */
static void keep_timeline(struct core_lease *lease, int64_t every_ms)
{
    const struct cluster_seen now = lease->cluster->seen;
    int64_t now_ms = clock_steady_ms();
    if (now.timeline > lease->seen.timeline ||
        (now.steps > lease->seen.steps && now_ms - lease->timeline_ms >= every_ms)) {
        core_timeline_write(lease->timeline_path, now);
        lease->seen = now;
        lease->timeline_ms = now_ms;
    }
}

/* Passes on what the list of nodes says, if it has changed. */
static void pass_on_nodes(struct core_lease *lease)
{
    keep_timeline(lease, STEPS_EVERY_MS);
    const struct cluster_list *list = &lease->cluster->list;
    uint64_t changes = lease->cluster->list_changes;
    if (changes == lease->told_changes) {
        return;
    }
    lease->told_changes = changes;
    log_holder(lease);
    core_lease_measure(lease, &lease->core->metrics);
    /* also those that do not live: one whose time has run out may be about to come back, and its
     * sessions with it */
    core_bridge_tell_nodes(&lease->core->bridge, lease->cluster->options.node, list->holder,
                           list->nodes, list->count);
}

/* Ends this core in good order, as if the next core of this node took over, so that another node
 * takes the house. */
static void leave_house(struct core_lease *lease, const char *why)
{
    log_event(LOG_LEVEL_INFO, 0, "this node gives the house to another one: %s", why);
    lease->is_leaving = true;
    lease->core->is_stopping = true;
    lease->core->is_handing_over = true;
}

static void leave_house_if_needed(struct core_lease *lease)
{
    const struct core *core = lease->core;
    if (!holds_house(lease) || core->house == NULL || core->is_stopping) {
        return;
    }
    if (lease->cluster->list.is_asked_to_leave) {
        leave_house(lease, "it was asked to");
    } else if (core->bridge.is_cut_off) {
        leave_house(lease, "too few nodes reach it");
    }
}

static void look_at_nodes(UNUSED int socket, UNUSED short events, void *context)
{
    struct core_lease *lease = context;
    lease->is_due = true;
    if (lease->core->waits == NULL) {
        pass_on_nodes(lease);
        leave_house_if_needed(lease);
    }
}

/* Logs a failure unless it was the last one. */
static void log_new_failure(const struct core_lease *lease, char last[STORAGE_WHY_SIZE],
                            const char *what)
{
    (void)set_failure(lease->core, what);
    if (strcmp(last, what) != 0) {
        log_event(LOG_LEVEL_ERROR, 0, "this node waits: %s", what);
        (void)snprintf(last, STORAGE_WHY_SIZE, "%s", what);
    }
}

/* Does the next step towards holding the house. */
static enum storage_result take_step(struct core_lease *lease, bool *is_held)
{
    enum storage_result result = cluster_watch(lease->cluster, is_held);
    if (result == STORAGE_NOT_FOUND) {
        result = STORAGE_OK; /* the next step registers anew */
    }
    if (result == STORAGE_OK) {
        lease->failed_tries = 0;
    } else if (lease->failed_tries < PAUSE_DOUBLINGS_MAX) {
        lease->failed_tries++;
    }
    if (result != STORAGE_OK && !lease->core->is_stopping) {
        log_new_failure(lease, lease->failure, lease->cluster->why);
    } else if (result == STORAGE_OK && lease->failure[0] != '\0') {
        log_event(LOG_LEVEL_INFO, 0, "this node waits no longer for that");
        lease->failure[0] = '\0';
    }
    if (result == STORAGE_OK) {
        (void)set_failure(lease->core, lease->opening_failure);
    }
    return result;
}

/* Runs the loop until the next step is due, or, if the node holds the house, until the bridge has
 * released the sockets. */
static void run_loop_until_due(struct core_lease *lease, bool is_held)
{
    int64_t wait_ms = lease->failed_tries == 0 ? cluster_watch_pause_ms(lease->cluster)
                                               : (int64_t)CLUSTER_WATCH_MS << lease->failed_tries;
    life_give_sign(&lease->core->metrics, LIFE_WAITS);
    lease->is_due = false;
    loop_begin_ms(lease->timer, wait_ms);
    while (!lease->is_due && !lease->core->is_stopping &&
           !(is_held && lease->core->bridge.is_released)) {
        event_base_loop(lease->core->base, EVLOOP_ONCE);
    }
    event_del(lease->timer);
}

/* Waits until this node holds the house, and the bridge has released the sockets that the core
 * will read. Returns false if the core ends instead. */
static bool await_house(struct core_lease *lease)
{
    struct core *core = lease->core;
    bool is_held = false;
    while (!core->is_stopping && !(is_held && lease->core->bridge.is_released)) {
        enum storage_result result = take_step(lease, &is_held);
        if (result == STORAGE_FOREIGN) {
            return false;
        }
        if (result == STORAGE_OK && lease->opening_failure[0] == '\0') {
            core_life_report(core, CORE_IS_READY);
        }
        pass_on_nodes(lease);
        run_loop_until_due(lease, is_held);
    }
    return !core->is_stopping;
}

/* Gives the house up because this node cannot open its data. The log gets a line each time, since
 * the house may stay closed until somebody acts on it. */
static void give_up_unopened(struct core_lease *lease, const char *why)
{
    log_event(LOG_LEVEL_ERROR, 0,
              "this node leaves the house to the other nodes, and tries again in about %d s: %s",
              CLUSTER_PAUSE_LEASES * (int)lease->core->setup->config->cluster_lease_s, why);
    if (cluster_give_up_and_pause(lease->cluster) != STORAGE_OK) {
        log_event(LOG_LEVEL_WARN, 0, "this node could not give up the house: %s",
                  lease->cluster->why);
    }
}

/* Says that the core loads the data, which may take long: until the next core_life_report it
 * gives no signs of life. Does nothing if the core is not ready. */
static void core_life_begin_loading(struct core *core)
{
    static const char loading[] = {CORE_IS_LOADING};
    if (core->beat == NULL) {
        return;
    }
    core->is_ready = false;
    event_del(core->beat);
    if (write(core->setup->ready_fd, loading, sizeof loading) != sizeof loading) {
        log_event(LOG_LEVEL_WARN, 0, "cannot report that the core loads the data");
    }
}

/* Opens the data. Sets *is_final if another try would fail the same way. */
static bool open_held_data(struct core_lease *lease, struct storage **storage, bool *is_final)
{
    char why[STORAGE_WHY_SIZE];
    lease->core->loading_ms = clock_steady_ms();
    core_life_begin_loading(lease->core);
    enum storage_result result = cluster_house_open(lease->cluster, storage, why);
    if (result == STORAGE_OK) {
        return true;
    }
    bool is_alone = lease->core->setup->config->cluster_node == 0;
    *is_final = result != STORAGE_IO && is_alone && !lease->core->setup->was_open;
    if (result == STORAGE_IO || is_alone) {
        log_new_failure(lease, lease->opening_failure, why);
    } else {
        (void)snprintf(lease->opening_failure, sizeof lease->opening_failure, "%s", why);
        give_up_unopened(lease, why);
    }
    run_loop_until_due(lease, false);
    return false;
}

/*
 * Runs the core's loop until this node holds the house and has opened its data, fenced by the lease
 * (cluster/cluster.h). Reports that the core is ready once it has reached the database.
 * If the database cannot be reached, logs that once and tries again, for as long as it takes. If
 * the data cannot be opened, as by a program that is too old for them, a node of several logs that,
 * leaves the house to the others, and takes it again after a pause at the earliest
 * (cluster_give_up_and_pause). Meanwhile operators get an answer.
 *
 * Returns false if a signal ends this core (core->is_stopping), or, with a line on the log, if
 * waiting is pointless.
 */
static bool core_lease_open_data(struct core_lease *lease, struct storage **storage)
{
    bool is_open = false;
    bool is_final = false;
    begin_waiting(lease->core);
    while (!is_open && !is_final) {
        bool is_held = await_house(lease);
        is_open = is_held && open_held_data(lease, storage, &is_final);
        is_final = is_final || !is_held;
    }
    return is_open;
}

/* Call it after storage_close. Gives the house up, unless the next core of this node takes it over;
 * if the database does not answer, the lease runs out by itself. If the core gives the house to
 * another node, this node may take it again only after a lease's time, if no other node has.
 * Takes NULL. */
static void core_lease_end(struct core_lease *lease, bool is_handing_over)
{
    if (lease == NULL) {
        return;
    }
    lease->is_over = true;
    if ((lease->is_leaving || !is_handing_over) &&
        cluster_give_up(lease->cluster, lease->is_leaving) != STORAGE_OK) {
        log_event(LOG_LEVEL_WARN, 0, "this node could not give up the house: %s",
                  lease->cluster->why);
    }
    keep_timeline(lease, 0);
    event_free(lease->timer);
    cluster_free(lease->cluster);
    free(lease->timeline_path);
    free(lease);
}

struct house_config core_config_make_lobby_part(const struct config *config)
{
    /* the lines below replace all defaults except that of `random` */
    struct house_config house = house_config_default();
#define CONFIG_NUMBER(section, key, value, min, max, unit, help)                                   \
    house.section##_##key = config->section##_##key;
#define CONFIG_SWITCH(section, key, value, help) house.section##_##key = config->section##_##key;
#define CONFIG_TEXT(section, key, value, form, help)                                               \
    house.section##_##key = config->section##_##key;
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
    if (config->storage_url[0] != '\0') {
        house.backup_every_h = 0; /* PostgreSQL's own programs make the backups */
    }
    return house;
}

_Static_assert(CORE_KEY_BYTES == HOUSE_KEY_BYTES,
               "the house gets the key of the core, so both keys must have the same size");

/* time without work after which the storage tidies its files */
#define QUIET_MS 250
#define CAREFUL_MS 10000     /* sessions repeat what they have asked within this time */
#define OPEN_AGAIN_US 100000 /* pause before the next try to open the data file */

static void run_due_house_work(UNUSED int socket, UNUSED short events, void *context)
{
    struct core *core = context;
    core_metrics_begin_pass(core);
    core_abort_unless_written(core, house_tick(core->house, clock_unix_ms()));
}

static void tidy_storage_when_idle(UNUSED int socket, UNUSED short events, void *context)
{
    struct core *core = context;
    storage_do_idle_work(core->storage);
}

/* Ends the core's loop. SIGTERM closes the house. After SIGUSR1 the next core takes over the house,
 * and the sessions are told nothing. */
static void end_loop_on_signal(int signal_number, UNUSED short events, void *context)
{
    struct core *core = context;
    core->is_stopping = true;
    core->is_handing_over = signal_number == SIGUSR1;
}

static void set_loop_timers(struct core *core)
{
    int64_t next_ms = house_next_tick_ms(core->house);
    if (next_ms == INT64_MAX) {
        event_del(core->clock);
    } else {
        int64_t wait_ms = next_ms - clock_unix_ms();
        loop_begin_ms(core->clock, wait_ms > 0 ? wait_ms : 0);
    }
    if (core->has_worked) {
        core->has_worked = false;
        loop_begin_ms(core->quiet, QUIET_MS);
    }
}

/* Sessions of other nodes stay: another core may take over the house. */
static void send_goodbye_to_sessions(struct core *core)
{
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_SESSION && link->gate == CORE_CONN_GATE) {
            link_send_goodbye(
                link, core->bridge.link != NULL
                          ? say(_("This entrance closes. Connect again, and your table goes on."))
                          : say(_("The house closes. Tables in play are kept.")));
        }
    }
}

static void log_house_event(UNUSED void *context, int64_t conn, const char *event,
                            const char *const *pairs)
{
    static const char *const errors[] = {"clock-jumped", "fault", "table-closed", "unreadable",
                                         NULL};
    bool is_error = text_find_word(errors, event) >= 0;
    log_pairs(is_error ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO, conn, event, pairs);
}

/* Waits until the bridge no longer reads the sockets of the gate and of the workers, for a node
 * whose data no other node has. Returns false if the core is to end before. */
static bool await_release(struct core *core, int node)
{
    core_bridge_tell_nodes(&core->bridge, node, node, NULL, 0);
    while (!core->is_stopping && !core->bridge.is_released) {
        event_base_loop(core->base, EVLOOP_ONCE);
    }
    return !core->is_stopping;
}

/* Opens the data file. Waits as long as another process, such as a program that makes a copy, has
 * it open, and in a house that was open before whatever the failure. */
static bool open_file(struct core *core)
{
    const struct core_setup *setup = core->setup;
    const struct timeval pause = {.tv_usec = OPEN_AGAIN_US};
    char why[STORAGE_WHY_SIZE];
    enum storage_result result;
    while ((result = storage_open(setup->database, &core->storage, why)) != STORAGE_OK &&
           !core->is_stopping) {
        if (result != STORAGE_LOCKED && !setup->was_open) {
            log_event(LOG_LEVEL_ERROR, 0, "%s", why);
            return false;
        }
        if (core->waits == NULL) {
            begin_waiting(core);
        }
        if (set_failure(core, why)) {
            log_event(LOG_LEVEL_ERROR, 0, "the house waits: %s", why);
        }
        life_give_sign(&core->metrics, LIFE_WAITS);
        event_base_loopexit(core->base, &pause);
        event_base_loop(core->base, 0);
    }
    return result == STORAGE_OK;
}

/* Opens the data; with several nodes, once this one may. */
static bool open_data(struct core *core)
{
    if (core->lease != NULL) {
        return core_lease_open_data(core->lease, &core->storage);
    }
    return await_release(core, (int)core->setup->config->cluster_node) && open_file(core);
}

static bool open_house(struct core *core)
{
    const struct core_setup *setup = core->setup;
    storage_set_log_limits(core->storage, setup->config->data_log_idle_mib,
                           setup->config->data_log_most_mib);
    struct house_config config = core_config_make_lobby_part(setup->config);
    config.log = log_house_event;
    core_metrics_configure_house(core, &config);
    memcpy(config.answers_key, setup->answers_key, sizeof config.answers_key);
    core_bridge_share_answers_key(&core->bridge, config.answers_key);
    core->house = house_new(&config, core->storage, clock_unix_ms());
    return core->house != NULL;
}

/* Connects the gate and the workers to the house, with the connection numbers 1, 2, …, and the
 * operators who have waited for it. The gate gives sessions far higher numbers. */
static void connect_gate_and_workers(struct core *core)
{
    const struct core_setup *setup = core->setup;
    core->gate = core_add_link(core, setup->gate_socket, CORE_CONN_GATE, PEER_GATE);
    core->gate->is_adopting = true;
    for (unsigned i = 0; i < setup->worker_count; i++) {
        core_add_link(core, setup->workers[i].socket, (int64_t)i + 2, setup->workers[i].kind);
    }
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_OPERATOR) {
            connect_operator(core, link);
        } else {
            core_abort_unless_written(
                core, house_connect(core->house, clock_unix_ms(), link->conn, link->kind, "", ""));
        }
        link_ask_to_start_over(link);
    }
}

static void create_loop_events(struct core *core)
{
    const short is_signal = EV_SIGNAL | EV_PERSIST;
    core->base = must_not_be_null(event_base_new());
    core->clock = loop_make_event(core->base, -1, 0, run_due_house_work, core);
    core->quiet = loop_make_event(core->base, -1, 0, tidy_storage_when_idle, core);
    core->stop = loop_watch(core->base, SIGTERM, is_signal, end_loop_on_signal, core);
    core->hand_over = loop_watch(core->base, SIGUSR1, is_signal, end_loop_on_signal, core);
}

/* Starts watching the sockets of the storage. Aborts if memory runs out. */
static void core_settle_unwatch(struct core *core)
{
    for (size_t i = 0; i < STORAGE_SOCKETS_MAX; i++) {
        if (core->settling[i] != NULL) {
            event_free(core->settling[i]);
            core->settling[i] = NULL;
        }
    }
}

static void close_core(struct core *core)
{
    struct link *link;
    core_settle_unwatch(core);
    core_metrics_free(core->measuring);
    keeper_free(core->keeper);
    core_bridge_end(&core->bridge);
    while ((link = LIST_FIRST(&core->links.all)) != NULL) {
        link_free(link);
    }
    end_waiting(core);
    house_free(core->house);
    storage_close(core->storage);
    core_lease_end(core->lease, core->is_handing_over);
    struct event *events[] = {core->clock,     core->quiet, core->stop,
                              core->hand_over, core->beat,  core->operators};
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (events[i] != NULL) {
            event_free(events[i]);
        }
    }
    event_base_free(core->base);
}

/* Tells the bridge that this core has begun; without a bridge, tells the gate that nobody answers
 * until this core has opened the data, which may take long. */
static void announce_start(struct core *core)
{
    if (core->setup->bridge_socket >= 0) {
        core_bridge_begin(core, core->setup->bridge_socket);
    } else {
        house_away_tell(core->setup->gate_socket, HOUSE_IS_AWAY);
    }
}

/* Does nothing: the event that calls this makes the core's loop do a pass, whose commit calls
 * storage_settle. */
static void make_pass(UNUSED int socket, UNUSED short events, UNUSED void *context)
{
}

/* Starts watching the sockets of the storage; SQLite has none. */
static void core_settle_watch(struct core *core)
{
    int sockets[STORAGE_SOCKETS_MAX];
    size_t count = storage_sockets(core->storage, sockets);
    for (size_t i = 0; i < count; i++) {
        core->settling[i] =
            loop_make_event(core->base, sockets[i], EV_READ | EV_PERSIST, make_pass, NULL);
        /* the time counts anew from each event of the socket */
        loop_begin_ms(core->settling[i], STORAGE_SETTLE_MS);
    }
}

/* Lets the gate, the workers and operators in, once the house is open. */
static void begin_serving(struct core *core)
{
    connect_gate_and_workers(core);
    core_bridge_serve_nodes(&core->bridge);
    core->keeper = keeper_new(core);
    if (core->measuring == NULL) {
        core->measuring = core_metrics_new(core);
    }
    watch_operators(core);
    end_waiting(core);
    core_settle_watch(core);
    log_pairs(LOG_LEVEL_INFO, 0, "loaded",
              LOG_PAIRS("ms", LOG_NUMBER(clock_steady_ms() - core->loading_ms)));
    if (core->lease != NULL) {
        /* from now on keeps the bridge and the gauges up to date, and ends the core if this node is
         * asked to give the house up, or too few nodes reach it (core_bridge.is_cut_off) */
        loop_begin_ms(core->lease->timer, CLUSTER_WATCH_MS);
    }
}

int core_run(const struct core_setup *setup)
{
    struct core core = {
        .setup = setup,
        .metrics = setup->metrics,
        .loading_ms = clock_steady_ms(),
        .links.unsent_max = (size_t)setup->config->limits_unsent_kib << 10,
        .bridge.is_released = true,
        .reload = {.program = setup->program, .args = setup->args},
    };
    int status = 1;
    (void)signal(SIGXFSZ,
                 SIG_IGN); /* handle a file that has reached its size limit like a full disk */
    create_loop_events(&core);
    announce_start(&core);
    if (setup->config->storage_url[0] != '\0') {
        core.lease = core_lease_new(&core);
        core.measuring = core_metrics_new(&core); /* also while this node waits */
    }
    if (!open_data(&core)) {
        status = core.is_stopping ? 0 : 1;
        goto done;
    }
    if (!open_house(&core)) {
        goto done;
    }
    begin_serving(&core);
    core_life_report(&core, CORE_IS_READY);
    core.careful_until_ms = setup->has_died ? clock_steady_ms() + CAREFUL_MS : 0;
    while (!core.is_stopping && core.gate != NULL) {
        do {
            core_finish_pass(&core);
        } while (keeper_do_due_steps(core.keeper));
        core_settle_limit_turns(&core);
        set_loop_timers(&core);
        event_base_loop(core.base, EVLOOP_ONCE);
    }
    core_finish_pass(&core);
    core_settle_finish(&core);
    if (!core.is_handing_over) {
        send_goodbye_to_sessions(&core);
    }
    log_pairs(LOG_LEVEL_INFO, 0, "closed", LOG_PAIRS(NULL));
    status = core.lease != NULL && core.lease->is_leaving ? CORE_GAVE_UP_HOUSE : 0;
done:
    close_core(&core);
    return status;
}
