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
    if (link != NULL && core->waiting == NULL) {
        core_metrics_begin_pass(core);
        connect_operator(core, link);
    }
}

void core_operators_watch(struct core *core, const struct core_setup *setup)
{
    if (setup->control_socket >= 0 && core->operators == NULL) {
        core->operators = loop_watch(core->base, setup->control_socket, EV_READ | EV_PERSIST,
                                     accept_operator, core);
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
static bool open_file(struct core *core, const struct core_setup *setup)
{
    const struct timeval pause = {.tv_usec = OPEN_AGAIN_US};
    char why[STORAGE_WHY_SIZE];
    enum storage_result result;
    while ((result = storage_open(setup->database, &core->storage, why)) != STORAGE_OK &&
           !core->is_stopping) {
        if (result != STORAGE_LOCKED && !setup->was_open) {
            log_event(LOG_LEVEL_ERROR, 0, "%s", why);
            return false;
        }
        if (core->waiting == NULL) {
            core->waiting = core_waiting_new(core, setup);
        }
        if (core_waiting_set_failure(core->waiting, why)) {
            log_event(LOG_LEVEL_ERROR, 0, "the house waits: %s", why);
        }
        life_give_sign(&core->metrics, LIFE_WAITS);
        event_base_loopexit(core->base, &pause);
        event_base_loop(core->base, 0);
    }
    return result == STORAGE_OK;
}

/* Opens the data; with several nodes, once this one may. */
static bool open_data(struct core *core, const struct core_setup *setup)
{
    if (core->lease != NULL) {
        return core_lease_open_data(core->lease, &core->storage);
    }
    return await_release(core, (int)setup->config->cluster_node) && open_file(core, setup);
}

static bool open_house(struct core *core, const struct core_setup *setup)
{
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
static void connect_gate_and_workers(struct core *core, const struct core_setup *setup)
{
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

static void close_core(struct core *core)
{
    struct link *link;
    core_settle_unwatch(core);
    core_metrics_free(core->measuring);
    keeper_free(core->keeper);
    core_bridge_end(&core->bridge);
    core_nodes_free(core);
    while ((link = LIST_FIRST(&core->links.all)) != NULL) {
        link_free(link);
    }
    core_waiting_end(core->waiting);
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
static void announce_start(struct core *core, const struct core_setup *setup)
{
    if (setup->bridge_socket >= 0) {
        core_bridge_begin(core, setup->bridge_socket);
    } else {
        house_away_tell(setup->gate_socket, HOUSE_IS_AWAY);
    }
}

/* Lets the gate, the workers and operators in, once the house is open. */
static void begin_serving(struct core *core, const struct core_setup *setup)
{
    connect_gate_and_workers(core, setup);
    core_bridge_serve_nodes(&core->bridge);
    core->keeper = keeper_new(core, setup);
    if (core->measuring == NULL) {
        core->measuring = core_metrics_new(core, setup);
    }
    core_operators_watch(core, setup);
    core_waiting_end(core->waiting);
    core->waiting = NULL;
    core_settle_watch(core);
    log_pairs(LOG_LEVEL_INFO, 0, "loaded",
              LOG_PAIRS("ms", LOG_NUMBER(clock_steady_ms() - core->loading_ms)));
    if (core->lease != NULL) {
        core_lease_begin_serving(core->lease);
    }
}

int core_run(const struct core_setup *setup)
{
    struct core core = {
        .metrics = setup->metrics,
        .fatal = setup->fatal,
        .loading_ms = clock_steady_ms(),
        .links.unsent_max = (size_t)setup->config->limits_unsent_kib << 10,
        .bridge.is_released = true,
        .reload = {.program = setup->program, .args = setup->args},
    };
    int status = 1;
    (void)signal(SIGXFSZ,
                 SIG_IGN); /* handle a file that has reached its size limit like a full disk */
    create_loop_events(&core);
    announce_start(&core, setup);
    core.lease = core_lease_new(&core, setup);
    if (core.lease != NULL) {
        core.measuring = core_metrics_new(&core, setup); /* also while this node waits */
    }
    if (!open_data(&core, setup)) {
        status = core.is_stopping ? 0 : 1;
        goto done;
    }
    if (!open_house(&core, setup)) {
        goto done;
    }
    begin_serving(&core, setup);
    core_life_report(&core, setup, CORE_IS_READY);
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
    status = core_lease_is_leaving(core.lease) ? CORE_GAVE_UP_HOUSE : 0;
done:
    close_core(&core);
    return status;
}

/* Returns a number for the packet, which is the same when it is sent again; 0 if it is never
 * refused. No two connections have the same number in the whole life of a house. */
static uint64_t compute_packet_number(const struct core *core, const struct link *link, size_t len)
{
    static const char hand_over[] = "{\"t\":\"connection\",";
    uint8_t key[crypto_shorthash_KEYBYTES] = {0};
    uint64_t number = 0;
    bool is_hand_over = link->kind == PEER_GATE && len >= sizeof hand_over - 1 &&
                        memcmp(core->buffer, hand_over, sizeof hand_over - 1) == 0;
    if (link->kind == PEER_SESSION || is_hand_over) {
        memcpy(key, &link->conn, sizeof link->conn);
        crypto_shorthash((uint8_t *)&number, (const uint8_t *)core->buffer, len, key);
    }
    return number;
}

static bool was_fatal(const struct core *core, uint64_t number)
{
    for (size_t i = 0; core->fatal != NULL && number != 0 && i < CORE_FATAL_MAX; i++) {
        if (core->fatal[i] == number) {
            return true;
        }
    }
    return false;
}

static void refuse_packet(struct link *link, const json_t *message)
{
    static const char *const openings[] = {"hello", "key_check", "sign_in", NULL};
    const char *type = json_read_text(message, "t", JSON_NAME_MAX);
    int64_t conn = link->conn;
    int64_t id;
    if (link->kind == PEER_GATE) {
        conn = json_integer_value(json_object_get(message, "conn"));
        link_send_json(
            link, json_pack("{s:s, s:I, s:b}", "t", "drop", "conn", (json_int_t)conn, "end", 1));
    } else if (type == NULL || text_find_word(openings, type) >= 0 ||
               !json_read_number(message, "id", 1, INT64_MAX, &id)) {
        link_send_goodbye(link,
                          say(_("The house failed twice at this connection, and closes it.")));
        link_end(link, LINK_DISMISSED);
    } else {
        json_t *refusal =
            json_pack("{s:s, s:I, s:s}", "t", "no", "id", (json_int_t)id, "code", "failed");
        say_set_field(refusal, "why",
                      say(_("The house failed twice at that, and does not try it again.")));
        link_send_json(link, refusal);
    }
    log_pairs(LOG_LEVEL_ERROR, conn, "fatal", LOG_PAIRS("type", type));
}

bool core_fatal_refuse_packet(struct core *core, struct link *link, size_t len)
{
    uint64_t number = compute_packet_number(core, link, len);
    life_set_work(&core->metrics, number);
    if (!was_fatal(core, number)) {
        return false;
    }
    json_t *message = json_read_object(core->buffer, len);
    refuse_packet(link, message);
    json_decref(message);
    return true;
}
