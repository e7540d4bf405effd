#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"

#include <event2/event.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    char text[TEXT_MAX] = "";
    char *rest = text;
    int file = files_open_regular(path, O_RDONLY);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    fd_close(file);
    if (got <= 0) {
        return (struct cluster_seen){0};
    }
    struct cluster_seen seen = {.timeline = strtoll(text, &rest, 10)};
    seen.steps = strtoll(rest, NULL, 10);
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
#define MS_PER_S 1000
#define STEPS_EVERY_MS 10000
#define PAUSE_DOUBLINGS_MAX 2 /* the pause between failing tries grows to 1.6 s */

struct core_lease {
    struct core *core;
    const struct core_setup *setup;
    struct cluster *cluster;
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
static void name_owner(const struct core_setup *setup, char owner[CLUSTER_OWNER_SIZE])
{
    static const unsigned char purpose[] = "owner of a node";
    unsigned char hash[OWNER_BYTES];
    crypto_generichash(hash, sizeof hash, purpose, sizeof purpose, setup->answers_key,
                       CORE_KEY_BYTES);
    sodium_bin2hex(owner, CLUSTER_OWNER_SIZE, hash, sizeof hash);
}

static void look_at_nodes(int socket, short events, void *context);

struct core_lease *core_lease_new(struct core *core, const struct core_setup *setup)
{
    const struct config *config = setup->config;
    if (config->storage_url[0] == '\0') {
        return NULL;
    }
    struct core_lease *lease = must_allocate(sizeof *lease);
    char owner[CLUSTER_OWNER_SIZE];
    name_owner(setup, owner);
    lease->timeline_path = core_timeline_make_path(setup->database);
    lease->seen = core_timeline_read(lease->timeline_path);
    const struct cluster_options options = {
        .url = config->storage_url,
        .node = (int)config->cluster_node,
        .owner = owner,
        .address = config->cluster_address,
        .key = setup->node_key != NULL ? setup->node_key : "",
        .version = TRICKHOUSE_VERSION,
        .seen = lease->seen,
        .lease_ms = config->cluster_lease_s * MS_PER_S,
        .is_to_go_on = run_loop_meanwhile,
        .context = lease,
    };
    lease->core = core;
    lease->setup = setup;
    lease->holder = CLUSTER_NOBODY;
    lease->cluster = must_not_be_null(cluster_new(&options));
    lease->timer = loop_make_event(core->base, -1, EV_PERSIST, look_at_nodes, lease);
    return lease;
}

static bool holds_house(const struct core_lease *lease)
{
    return cluster_nodes(lease->cluster)->holder == cluster_own_node(lease->cluster);
}

int core_lease_holder(const struct core_lease *lease)
{
    return lease == NULL ? CLUSTER_NOBODY : cluster_nodes(lease->cluster)->holder;
}

void core_lease_measure(const struct core_lease *lease, const struct metrics *gauges)
{
    if (lease == NULL) {
        return;
    }
    const struct cluster_list *list = cluster_nodes(lease->cluster);
    uint64_t alive = 0;
    for (size_t i = 0; i < list->count; i++) {
        alive += list->nodes[i].is_alive;
    }
    metrics_set(gauges, METRIC_cluster_nodes, NULL, NULL, alive);
    metrics_set(gauges, METRIC_cluster_holds, NULL, NULL, holds_house(lease));
    metrics_set(gauges, METRIC_cluster_connected, NULL, NULL, lease->core->bridge.reached);
    metrics_set(gauges, METRIC_cluster_commit_seconds, NULL, NULL,
                (uint64_t)cluster_commit_ms(lease->cluster) / MS_PER_S);
    metrics_set(gauges, METRIC_cluster_holder, NULL, NULL,
                list->holder == CLUSTER_NOBODY ? 0 : (uint64_t)list->holder);
}

/* Logs who holds the house, if that has changed. */
static void log_holder(struct core_lease *lease)
{
    int holder = cluster_nodes(lease->cluster)->holder;
    if (holder == lease->holder) {
        return;
    }
    lease->holder = holder;
    log_pairs(LOG_LEVEL_INFO, 0, "holder",
              LOG_PAIRS("node", holder == CLUSTER_NOBODY ? "none" : LOG_NUMBER(holder), "own",
                        LOG_NUMBER(cluster_own_node(lease->cluster))));
}

/* Writes what the next core must know of the database: a new timeline at once, the steps once in a
 * while. */
static void keep_timeline(struct core_lease *lease, int64_t every_ms)
{
    const struct cluster_seen now = cluster_seen(lease->cluster);
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
    const struct cluster_list *list = cluster_nodes(lease->cluster);
    uint64_t changes = cluster_nodes_changes(lease->cluster);
    if (changes == lease->told_changes) {
        return;
    }
    lease->told_changes = changes;
    log_holder(lease);
    core_lease_measure(lease, &lease->core->metrics);
    /* also those that do not live: one whose time has run out may be about to come back, and its
     * sessions with it */
    core_bridge_tell_nodes(&lease->core->bridge, cluster_own_node(lease->cluster), list->holder,
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
    if (cluster_nodes(lease->cluster)->is_asked_to_leave) {
        leave_house(lease, "it was asked to");
    } else if (core->bridge.is_cut_off) {
        leave_house(lease, "too few nodes reach it");
    }
}

bool core_lease_is_leaving(const struct core_lease *lease)
{
    return lease != NULL && lease->is_leaving;
}

static void look_at_nodes(UNUSED int socket, UNUSED short events, void *context)
{
    struct core_lease *lease = context;
    lease->is_due = true;
    if (lease->core->waiting == NULL) {
        pass_on_nodes(lease);
        leave_house_if_needed(lease);
    }
}

/* Logs a failure unless it was the last one. */
static void log_new_failure(const struct core_lease *lease, char last[STORAGE_WHY_SIZE],
                            const char *what)
{
    (void)core_waiting_set_failure(lease->core->waiting, what);
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
        log_new_failure(lease, lease->failure, cluster_failure(lease->cluster));
    } else if (result == STORAGE_OK && lease->failure[0] != '\0') {
        log_event(LOG_LEVEL_INFO, 0, "this node waits no longer for that");
        lease->failure[0] = '\0';
    }
    if (result == STORAGE_OK) {
        (void)core_waiting_set_failure(lease->core->waiting, lease->opening_failure);
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
            core_life_report(core, lease->setup, CORE_IS_READY);
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
              CLUSTER_PAUSE_LEASES * (int)lease->setup->config->cluster_lease_s, why);
    if (cluster_give_up_and_pause(lease->cluster) != STORAGE_OK) {
        log_event(LOG_LEVEL_WARN, 0, "this node could not give up the house: %s",
                  cluster_failure(lease->cluster));
    }
}

/* Opens the data. Sets *is_final if another try would fail the same way. */
static bool open_data(struct core_lease *lease, struct storage **storage, bool *is_final)
{
    char why[STORAGE_WHY_SIZE];
    lease->core->loading_ms = clock_steady_ms();
    core_life_begin_loading(lease->core, lease->setup);
    enum storage_result result = cluster_house_open(lease->cluster, storage, why);
    if (result == STORAGE_OK) {
        return true;
    }
    bool is_alone = lease->setup->config->cluster_node == 0;
    *is_final = result != STORAGE_IO && is_alone && !lease->setup->was_open;
    if (result == STORAGE_IO || is_alone) {
        log_new_failure(lease, lease->opening_failure, why);
    } else {
        (void)snprintf(lease->opening_failure, sizeof lease->opening_failure, "%s", why);
        give_up_unopened(lease, why);
    }
    run_loop_until_due(lease, false);
    return false;
}

bool core_lease_open_data(struct core_lease *lease, struct storage **storage)
{
    bool is_open = false;
    bool is_final = false;
    lease->core->waiting = core_waiting_new(lease->core, lease->setup);
    while (!is_open && !is_final) {
        bool is_held = await_house(lease);
        is_open = is_held && open_data(lease, storage, &is_final);
        is_final = is_final || !is_held;
    }
    return is_open;
}

void core_lease_begin_serving(struct core_lease *lease)
{
    loop_begin_ms(lease->timer, CLUSTER_WATCH_MS);
}

void core_lease_end(struct core_lease *lease, bool is_handing_over)
{
    if (lease == NULL) {
        return;
    }
    lease->is_over = true;
    if ((lease->is_leaving || !is_handing_over) &&
        cluster_give_up(lease->cluster, lease->is_leaving) != STORAGE_OK) {
        log_event(LOG_LEVEL_WARN, 0, "this node could not give up the house: %s",
                  cluster_failure(lease->cluster));
    }
    keep_timeline(lease, 0);
    event_free(lease->timer);
    cluster_free(lease->cluster);
    free(lease->timeline_path);
    free(lease);
}
