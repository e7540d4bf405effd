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
#include <search.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MS_PER_S 1000
#define JUMP_MS 60000 /* a clock that moves by this much from one second to the next was set */

/* The players' moves of one pass of the loop, until everybody has been told of them. */
struct untold_moves {
    uint64_t turn; /* the turn that contains them */
    int64_t received_us;
    uint64_t count;
};

struct core_metrics {
    struct core *core;
    /* the oldest first; the first `durable` of them are durable */
    struct untold_moves untold[HOUSE_UNSETTLED_TURNS_MAX];
    size_t untold_count, durable;
    char *file;             /* path of the text for Prometheus; NULL: none */
    char *new_file;         /* its path while it is written */
    bool is_failing;        /* the file could not be written the last time */
    int64_t clock_ahead_ms; /* by how much the clock is ahead of one that is never set */
    struct event *life;
    uint32_t seconds;      /* how often `life` has run out */
    struct metrics gauges; /* a page of our own, on which the gauges are added up */
};

static enum metric metric_of_house(enum house_metric metric)
{
    static const enum metric metrics[HOUSE_METRIC_COUNT] = {
#define COUNTER(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#define GAUGE(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#define HISTOGRAM(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#include "lobby/house/metrics.def"
#undef COUNTER
#undef GAUGE
#undef HISTOGRAM
    };
    return metrics[metric];
}

static void count_for_house(void *context, enum house_metric house_metric, const char *a,
                            const char *b, uint64_t amount)
{
    struct core *core = context;
    enum metric metric = metric_of_house(house_metric);
    switch (metric_at(metric)->kind) {
    case METRIC_HISTOGRAM:
        metrics_observe_us(&core->metrics, metric, a, amount, 1);
        break;
    case METRIC_GAUGE: /* only house_measure passes gauges */
        metrics_add(&core->measuring->gauges, metric, a, b, amount);
        break;
    case METRIC_COUNTER:
        metrics_add(&core->metrics, metric, a, b, amount);
        break;
    }
    if (house_metric == HOUSE_METRIC_moves && strcmp(b, "player") == 0) {
        core->pass_moves += amount;
    }
}

void core_metrics_configure_house(struct core *core, struct house_config *config)
{
    config->measure = count_for_house;
    config->measure_context = core;
}

void core_metrics_begin_pass(struct core *core)
{
    core->has_worked = true;
    if (core->pass_begun_us == 0) {
        core->pass_begun_us = clock_steady_us();
        life_give_sign(&core->metrics, LIFE_WORKS);
    }
}

static void observe_moves(const struct core *core, const struct untold_moves *moves,
                          const char *until)
{
    metrics_observe_us(&core->metrics, METRIC_move, until,
                       (uint64_t)(clock_steady_us() - moves->received_us), moves->count);
}

static void core_metrics_begin_commit(struct core *core)
{
    life_give_sign(&core->metrics, LIFE_WRITES);
    core->turn = storage_last_turn(core->storage);
    core->commit_begun_us = clock_steady_us();
}

/* Remembers the moves of this pass, which is committed. The list has room for all turns that may be
 * under way while the core receives. The moves of a further pass count as part of the last one. */
static void note_committed_moves(struct core_metrics *metrics)
{
    struct core *core = metrics->core;
    uint64_t turn = storage_last_turn(core->storage);
    if (core->pass_moves == 0) {
        return;
    }
    if (metrics->untold_count == ARRAY_LEN(metrics->untold)) {
        struct untold_moves *last = &metrics->untold[metrics->untold_count - 1];
        last->turn = turn;
        last->count += core->pass_moves;
    } else {
        metrics->untold[metrics->untold_count++] =
            (struct untold_moves){turn, core->pass_begun_us, core->pass_moves};
    }
    core->pass_moves = 0;
}

static void observe_durable_moves(struct core_metrics *metrics)
{
    const struct core *core = metrics->core;
    uint64_t durable = storage_last_turn(core->storage) - house_count_unsettled_turns(core->house);
    while (metrics->durable < metrics->untold_count &&
           metrics->untold[metrics->durable].turn <= durable) {
        observe_moves(core, &metrics->untold[metrics->durable++], "durable");
    }
}

static void core_metrics_end_commit(struct core *core)
{
    if (storage_last_turn(core->storage) != core->turn) {
        metrics_observe_us(&core->metrics, METRIC_commit, NULL,
                           (uint64_t)(clock_steady_us() - core->commit_begun_us), 1);
    }
    note_committed_moves(core->measuring);
    observe_durable_moves(core->measuring);
}

static void core_metrics_end_pass(struct core *core)
{
    struct core_metrics *metrics = core->measuring;
    for (size_t i = 0; i < metrics->durable; i++) {
        observe_moves(core, &metrics->untold[i], "told");
    }
    metrics->untold_count -= metrics->durable;
    memmove(metrics->untold, &metrics->untold[metrics->durable],
            metrics->untold_count * sizeof(metrics->untold[0]));
    metrics->durable = 0;
    core->pass_begun_us = 0;
    life_give_sign(&core->metrics, LIFE_WAITS);
}

static uint64_t read_file_size(const char *path, const char *ending)
{
    char *name;
    struct stat status;
    if (asprintf(&name, "%s%s", path, ending) < 0) {
        abort(); /* out of memory */
    }
    uint64_t size = stat(name, &status) == 0 ? (uint64_t)status.st_size : 0;
    free(name);
    return size;
}

static uint64_t read_free_bytes(const char *path)
{
    struct statvfs disk;
    return statvfs(path, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : 0;
}

static uint64_t count_unsent_bytes(const struct core *core)
{
    uint64_t bytes = 0;
    const struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        bytes += link->unsent.bytes;
    }
    return bytes;
}

static void measure_gauges(struct core_metrics *metrics)
{
    struct core *core = metrics->core;
    const struct core_setup *setup = core->setup;
    const struct metrics *gauges = &metrics->gauges;
    const struct {
        enum metric metric;
        uint64_t value;
    } values[] = {
        {METRIC_wal_bytes, read_file_size(setup->database, "-wal")},
        {METRIC_database_bytes, read_file_size(setup->database, "")},
        {METRIC_disk_free_bytes, read_free_bytes(setup->database)},
        {METRIC_backup_timestamp_seconds,
         setup->backups != NULL ? (uint64_t)backups_dir_find_newest_s(setup->backups) : 0},
        {METRIC_unsent_bytes, count_unsent_bytes(core)},
        {METRIC_measured_timestamp_seconds, (uint64_t)clock_unix_ms() / MS_PER_S},
    };
    memset(gauges->page, 0, sizeof *gauges->page);
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        metrics_set(gauges, values[i].metric, NULL, NULL, values[i].value);
    }
    if (core->house != NULL) { /* NULL: this node waits for it (core.h) */
        house_measure(core->house);
    }
    core_lease_measure(core->lease, gauges);
    metrics_copy_gauges(&core->metrics, gauges->page);
    life_measure_silence(&core->metrics, clock_steady_ms());
}

/* Replaces the file at once, so that no reader sees half of it. The file must not be in a folder
 * where other users can make files, who could make a link of this name to another file. */
static bool replace_file(const struct core_metrics *metrics, const char *text)
{
    (void)unlink(metrics->new_file);
    int file = open(metrics->new_file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t len = strlen(text);
    errno = file < 0 ? errno : 0;
    bool is_written = file >= 0 && write(file, text, len) == (ssize_t)len &&
                      fchmod(file, 0644) == 0 && rename(metrics->new_file, metrics->file) == 0;
    if (!is_written && errno == 0) {
        errno = ENOSPC; /* write(2) has written a part */
    }
    fd_close(file);
    return is_written;
}

static void write_file(struct core_metrics *metrics)
{
    if (metrics->file == NULL || metrics->core->metrics.page == NULL) {
        return;
    }
    char *text = prometheus_write(metrics->core->metrics.page);
    bool is_written = replace_file(metrics, text);
    if (!is_written && !metrics->is_failing) {
        log_failure("the metrics cannot be written to %s", metrics->file);
    } else if (is_written && metrics->is_failing) {
        log_event(LOG_LEVEL_INFO, 0, "the metrics are written to %s again", metrics->file);
    }
    metrics->is_failing = !is_written;
    free(text);
}

static int64_t measure_clock_ahead_ms(void)
{
    return clock_unix_ms() - clock_boot_ms();
}

/* Notices a clock that was set. */
static void check_clock(struct core_metrics *metrics)
{
    int64_t ahead_ms = measure_clock_ahead_ms();
    int64_t jump_ms = ahead_ms - metrics->clock_ahead_ms;
    metrics->clock_ahead_ms = ahead_ms;
    if (jump_ms >= JUMP_MS || jump_ms <= -JUMP_MS) {
        log_pairs(LOG_LEVEL_ERROR, 0, "clock-jumped",
                  LOG_PAIRS("seconds", LOG_NUMBER(jump_ms / MS_PER_S)));
        metrics_add(&metrics->core->metrics, METRIC_clock_jumps, NULL, NULL, 1);
        if (metrics->core->house != NULL) {
            event_active(metrics->core->clock, EV_TIMEOUT, 0); /* what is due is another now */
        }
    }
}

/* Does what is done once a second. The event that calls this also makes the core's loop do a pass,
 * which gives a sign of life. */
static void handle_second(UNUSED int socket, UNUSED short events, void *context)
{
    struct core_metrics *metrics = context;
    check_clock(metrics);
    if (metrics->core->house != NULL) {
        core_nodes_look(metrics->core);
    }
    if (++metrics->seconds % metrics->core->setup->config->metrics_every_s == 0) {
        measure_gauges(metrics);
        write_file(metrics);
    }
}

/* Sets the paths of the file. A relative path begins in the data folder, where the database is. */
static void set_file(struct core_metrics *metrics, const char *file)
{
    const char *database = metrics->core->setup->database;
    const char *end = strrchr(database, '/');
    int folder_len = file[0] == '/' || end == NULL ? 0 : (int)(end + 1 - database);
    if (file[0] != '\0' && (asprintf(&metrics->file, "%.*s%s", folder_len, database, file) < 0 ||
                            asprintf(&metrics->new_file, "%s.new", metrics->file) < 0)) {
        abort(); /* out of memory */
    }
}

struct core_metrics *core_metrics_new(struct core *core)
{
    const struct core_setup *setup = core->setup;
    struct core_metrics *metrics = must_allocate(sizeof *metrics);
    core->measuring = metrics;
    metrics->core = core;
    set_file(metrics, setup->config->metrics_file);
    metrics->gauges.page = must_allocate(sizeof *metrics->gauges.page);
    metrics->clock_ahead_ms = measure_clock_ahead_ms();
    metrics->life = loop_make_event(core->base, -1, EV_PERSIST, handle_second, metrics);
    loop_begin_ms(metrics->life, LIFE_EVERY_MS);
    measure_gauges(metrics);
    write_file(metrics);
    return metrics;
}

void core_metrics_free(struct core_metrics *metrics)
{
    if (metrics == NULL) {
        return;
    }
    event_free(metrics->life);
    free(metrics->gauges.page);
    free(metrics->new_file);
    free(metrics->file);
    free(metrics);
}

static void link_attach(struct link *link, struct event_base *base, int socket,
                        link_read_handler *on_readable);

/* Sends waiting packets. Returns false if the socket is full again. */
static bool send_waiting_packets(struct link *link)
{
    bool is_full = packet_queue_send(&link->unsent, link->socket) == PACKET_AGAIN;
    if (!is_full) {
        packet_queue_clear(&link->unsent); /* the peer may have closed its end */
    }
    return !is_full;
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    struct link *link = context;
    if (send_waiting_packets(link)) {
        event_del(link->writable);
    }
}

static int compare_conn_numbers(const void *a, const void *b)
{
    const struct link *left = a;
    const struct link *right = b;
    return (left->conn > right->conn) - (left->conn < right->conn);
}

static void begin_reading(struct link *link)
{
    if (link->end == LINK_LIVES && link->socket >= 0 && !link->set->is_paused) {
        loop_begin(link->readable);
    }
}

/* Stops reading from all links of the set, also from those that are added meanwhile, or goes on
 * reading. */
static void links_pause_reading(struct links *set, bool is_paused)
{
    struct link *link = LIST_FIRST(&set->all);
    if (set->is_paused == is_paused) {
        return;
    }
    set->is_paused = is_paused;
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (!is_paused) {
            begin_reading(link);
        } else if (link->socket >= 0) {
            event_del(link->readable);
        }
    }
}

struct link *link_new(struct links *set, struct event_base *base, int socket, int64_t conn,
                      enum peer kind, link_read_handler *on_readable)
{
    struct link *link = must_allocate(sizeof *link);
    link->conn = conn;
    link->kind = kind;
    link->socket = -1;
    link->set = set;
    link_attach(link, base, socket, on_readable);
    (void)must_not_be_null(tsearch(link, &set->by_conn, compare_conn_numbers));
    LIST_INSERT_HEAD(&set->all, link, in_all);
    return link;
}

/* Gives a link that is away a socket again, and takes the socket over. */
static void link_attach(struct link *link, struct event_base *base, int socket,
                        link_read_handler *on_readable)
{
    link->socket = socket;
    link->readable = loop_make_event(base, socket, EV_READ | EV_PERSIST, on_readable, link);
    link->writable = loop_make_event(base, socket, EV_WRITE | EV_PERSIST, send_when_writable, link);
    begin_reading(link);
}

void link_detach(struct link *link)
{
    if (link->socket < 0) {
        return;
    }
    event_free(link->writable);
    event_free(link->readable);
    link->writable = NULL;
    link->readable = NULL;
    close(link->socket);
    link->socket = -1;
    packet_queue_clear(&link->unsent);
}

static void touch(struct link *link)
{
    if (!link->is_touched) {
        link->is_touched = true;
        LIST_INSERT_HEAD(&link->set->touched, link, in_touched);
    }
}

static void leave_untouched(struct link *link)
{
    if (link->is_touched) {
        link->is_touched = false;
        LIST_REMOVE(link, in_touched);
    }
}

void link_free(struct link *link)
{
    if (link == NULL) {
        return;
    }
    tdelete(link, &link->set->by_conn, compare_conn_numbers);
    LIST_REMOVE(link, in_all);
    leave_untouched(link);
    link_detach(link);
    free(link->opening);
    free(link);
}

struct link *link_find(const struct links *set, int64_t conn)
{
    const struct link wanted = {.conn = conn};
    struct link *const *found = tfind(&wanted, &set->by_conn, compare_conn_numbers);
    return found != NULL ? *found : NULL;
}

/* Sends what waits. What the socket has no room for is sent once it has. */
static void flush(struct link *link)
{
    if (link->unsent.count > 0 && !event_pending(link->writable, EV_WRITE, NULL) &&
        !send_waiting_packets(link)) {
        loop_begin(link->writable);
    }
}

static bool fits_queue(const struct link *link, size_t len)
{
    return packet_queue_cost(&link->unsent) + packet_cost(len) <= link->set->unsent_max;
}

static void queue_packet(struct link *link, const char *json, size_t len)
{
    if (!fits_queue(link, len)) {
        flush(link);
    }
    if (!fits_queue(link, len)) {
        packet_queue_clear(&link->unsent);
        link->is_lost = true;
        touch(link);
        return;
    }
    packet_queue_add(&link->unsent, json, len, -1);
}

/* Whether the packet can be sent. */
static bool is_sendable(const struct link *link, size_t len)
{
    if (link->is_lost || link->socket < 0) {
        return false; /* after a lost packet, the peer could not understand the packets that
                         follow */
    }
    if (len == 0 || len > PACKET_MAX) {
        log_event(LOG_LEVEL_ERROR, link->conn, "a message of %zu bytes cannot be sent", len);
        return false;
    }
    return true;
}

void link_send(struct link *link, const char *json, size_t len)
{
    if (is_sendable(link, len) &&
        (link->unsent.count > 0 || packet_send(link->socket, json, len, -1) == PACKET_AGAIN)) {
        queue_packet(link, json, len);
        flush(link);
    }
}

void link_gather(struct link *link, const char *json, size_t len)
{
    if (!is_sendable(link, len)) {
        return;
    }
    queue_packet(link, json, len);
    touch(link);
}

void links_send_gathered(struct links *set)
{
    struct link *link = LIST_FIRST(&set->touched);
    while (link != NULL) {
        struct link *next = LIST_NEXT(link, in_touched);
        flush(link);
        if (link->end == LINK_LIVES && !link->is_lost) { /* it has no mark */
            leave_untouched(link);
        }
        link = next;
    }
}

/* Sends a `resync` of the house, after which the peer understands all packets again, even if one
 * was lost before. It is never lost: if the queue has no room, drops what waits there, which is
 * useless to a peer that starts over. */
static void link_send_resync(struct link *link, const char *json, size_t len)
{
    link->is_lost = false;
    link_send(link, json, len);
    if (link->is_lost) { /* the queue had no room, and is empty now */
        link->is_lost = false;
        link_send(link, json, len);
    }
}

void link_end(struct link *link, enum link_end why)
{
    link->end = why;
    if (link->readable != NULL) {
        event_del(link->readable);
    }
    touch(link);
}

/* Undoes link_end: the link stays open, and the core reads from it again. */
static void link_cancel_end(struct link *link)
{
    link->end = LINK_LIVES;
    begin_reading(link);
}

struct link *link_take_next_marked(struct links *set)
{
    struct link *link = LIST_FIRST(&set->touched);
    if (link != NULL) {
        leave_untouched(link);
    }
    return link;
}

void link_send_json(struct link *link, json_t *message)
{
    char *json = must_format_json(message);
    link_send(link, json, strlen(json));
    free(json);
}

void link_send_goodbye(struct link *link, json_t *why)
{
    json_t *message = json_pack("{s:s}", "t", "bye");
    say_set_field(message, "why", why);
    link_send_json(link, message);
}

void link_ask_to_start_over(struct link *link)
{
    static const char resync[] = "{\"t\":\"resync\"}";
    link->awaits_hello = true;
    link_send_resync(link, resync, sizeof resync - 1);
}

#define ADDRESS_MAX 64
#define TRANSPORT_MAX 16

/* most packets read from one peer in a pass of the core's loop, so that no other peer waits long */
#define PACKETS_PER_PASS 16
#define PASS_US 10000 /* a pass ends after this time, so that nobody waits long for its commit */

static bool is_pass_long(const struct core *core)
{
    return clock_steady_us() - core->pass_begun_us > PASS_US;
}

static void read_packets(int socket, short events, void *context);

/* What the gate's message `connection` says. */
struct handed_over {
    int64_t conn;
    const char *address;
    const char *transport;
};

static bool read_connection(const struct link *gate, const json_t *message,
                            struct handed_over *session)
{
    session->address = json_read_text(message, "address", ADDRESS_MAX);
    session->transport = json_read_text(message, "transport", TRANSPORT_MAX);
    return session->address != NULL && session->transport != NULL &&
           json_read_number(message, "conn", CORE_CONN_SESSIONS, CORE_NODES_CONNS - 1,
                            &session->conn) &&
           core_nodes_may_hand_over(gate, session->conn);
}

/* Adds a session that the house does not know yet. The gate's message is in core->buffer. */
static void add_session(struct core *core, const struct link *gate,
                        const struct handed_over *session, int fd, size_t len)
{
    struct link *link = core_add_link(core, fd, session->conn, PEER_SESSION);
    link->gate = gate->conn;
    if (gate->conn == CORE_CONN_GATE) {
        link->opening = must_not_be_null(strndup(core->buffer, len));
    }
    log_pairs(LOG_LEVEL_INFO, session->conn, gate->is_adopting ? "adopt" : "link",
              LOG_PAIRS("transport", session->transport, "address", session->address));
    if (gate->is_adopting) {
        link_ask_to_start_over(link);
    }
    enum house_result result = house_connect(core->house, clock_unix_ms(), session->conn,
                                             PEER_SESSION, session->address, session->transport);
    core_abort_unless_written(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

/* Gives the sessions that a gate has handed over to the next gate, which began after the gate had
 * died: it will hand them over to later cores. */
static void return_sessions(struct core *core, const struct link *gate)
{
    const struct link *link = NULL;
    LIST_FOREACH(link, &core->links.all, in_all)
    {
        if (link->gate == gate->conn && link->opening != NULL && link->socket >= 0 &&
            link->end == LINK_LIVES &&
            !packet_send_waiting(gate->socket, link->opening, strlen(link->opening),
                                 link->socket)) {
            log_event(LOG_LEVEL_WARN, 0, "the gate does not take over all sessions");
            return;
        }
    }
}

/* Takes over a session from a gate: its number, its address, and the core's end of its socket. */
static void take_over_session(struct core *core, const struct link *gate, const json_t *message,
                              size_t len, int fd)
{
    struct handed_over session;
    bool is_good = read_connection(gate, message, &session);
    struct link *known = is_good ? link_find(&core->links, session.conn) : NULL;
    if (!is_good || (known == NULL && fd < 0) || (known != NULL && known->gate != gate->conn)) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate handed over a malformed connection");
        fd_close(fd);
    } else if (known == NULL) {
        add_session(core, gate, &session, fd, len);
    } else if (fd >= 0 && gate->conn != CORE_CONN_GATE && known->end == LINK_LIVES) {
        log_pairs(LOG_LEVEL_INFO, session.conn, "adopt",
                  LOG_PAIRS("transport", session.transport, "address", session.address));
        link_detach(known);
        link_attach(known, core->base, fd, read_packets);
        link_ask_to_start_over(known);
    } else {
        fd_close(fd); /* the gate has handed over this session before */
    }
}

/* Handles a message of a gate that concerns sockets. Returns true if the house gets the message
 * afterwards. */
static bool handle_gate_message(struct core *core, struct link *gate, size_t len, int fd)
{
    json_t *message = json_read_object(core->buffer, len);
    bool is_end = strcmp(json_read_type(message), "connections_end") == 0;
    if (strcmp(json_read_type(message), "connection") == 0) {
        take_over_session(core, gate, message, len, fd);
    } else {
        fd_close(fd);
    }
    if (json_read_bool(message, "inherits", false)) {
        return_sessions(core, gate);
    }
    json_decref(message);
    if (is_end) {
        gate->is_adopting = false;
    }
    return !is_end || core_nodes_end_hand_over(core, gate);
}

static bool is_hello(const char *bytes, size_t len)
{
    json_t *message = json_read_request(bytes, len);
    bool is_it = strcmp(json_read_type(message), "hello") == 0;
    json_decref(message);
    return is_it;
}

/* Returns false for messages that were meant for an earlier core: all before the peer's `hello`. */
static bool is_message_for_this_core(const struct core *core, struct link *link, size_t len)
{
    if (link->awaits_hello) {
        link->awaits_hello = !is_hello(core->buffer, len);
    }
    return !link->awaits_hello;
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
    for (size_t i = 0; core->setup->fatal != NULL && number != 0 && i < CORE_FATAL_MAX; i++) {
        if (core->setup->fatal[i] == number) {
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

/*
 * Says that the core works on the packet in core->buffer, until the end of the pass. If two cores
 * have died of it, logs that, and refuses the packet: answers a request with `failed`; closes a
 * connection whose opening or sign-in it is. Then returns true: the house must not get the packet.
 * Packets of other processes than sessions are never refused, except those that hand over a
 * session.
 */
static bool core_fatal_refuse_packet(struct core *core, struct link *link, size_t len)
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

static void handle_packet(struct core *core, struct link *link, size_t len, int fd)
{
    if (!is_message_for_this_core(core, link, len) || core_fatal_refuse_packet(core, link, len)) {
        fd_close(fd);
        return;
    }
    if (link->kind == PEER_GATE && !handle_gate_message(core, link, len, fd)) {
        return;
    }
    enum house_result result =
        house_receive(core->house, clock_unix_ms(), link->conn, core->buffer, len);
    core_abort_unless_written(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct link *link = context;
    struct core *core = link->owner;
    if (core->waits != NULL) { /* only operators are connected */
        core_waiting_read(core, link);
        return;
    }
    bool is_careful = clock_steady_ms() < core->careful_until_ms;
    unsigned most = is_careful ? 1 : PACKETS_PER_PASS;
    core_metrics_begin_pass(core);
    if (is_careful) {
        event_base_loopbreak(core->base);
    }
    if (is_pass_long(core)) {
        event_base_loopbreak(core->base); /* the links that are left come first in the next pass */
    }
    for (unsigned i = 0; i < most && link->end == LINK_LIVES && !is_pass_long(core); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, core->buffer, &len, link->kind == PEER_GATE ? &fd : NULL)) {
        case PACKET_OK:
            handle_packet(core, link, len, fd);
            break;
        case PACKET_AGAIN:
            return;
        case PACKET_CLOSED:
            link_end(link, LINK_GONE);
            break;
        case PACKET_BAD:
            link_end(link, LINK_UNFIT);
            break;
        }
    }
}

struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind)
{
    struct link *link = link_new(&core->links, core->base, socket, conn, kind, read_packets);
    link->owner = core;
    return link;
}

/* Tells the peer, the house and the gate that the connection of a session or operator ends. */
static void end_session_or_operator(struct core *core, struct link *link)
{
    static const char *const what[] = {
        [LINK_GONE] = "gone",
        [LINK_DISMISSED] = "dismissed",
        [LINK_UNFIT] = "broke-protocol",
    };
    log_pairs(LOG_LEVEL_INFO, link->conn, "unlink", LOG_PAIRS("why", what[link->end]));
    if (link->end == LINK_UNFIT) {
        link_send_goodbye(
            link, say(_("The connection ends: your program did not keep to the protocol.")));
    }
    struct link *gate = link->kind == PEER_SESSION ? link_find(&core->links, link->gate) : NULL;
    if (gate != NULL) {
        link_send_json(gate, json_pack("{s:s, s:I, s:b}", "t", "drop", "conn",
                                       (json_int_t)link->conn, "end", link->end != LINK_GONE));
    }
    core_abort_unless_written(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    link_free(link);
}

/* Handles the end or a protocol error of a worker or a gate. These are our own processes: a process
 * that breaks the protocol starts over on the same socket. Those of other nodes may go. */
static void handle_own_process_fault(struct core *core, struct link *link)
{
    if (link->end != LINK_GONE || !core_nodes_is_of_other_node(link)) {
        log_event(LOG_LEVEL_ERROR, link->conn, "one of our own processes %s",
                  link->end == LINK_GONE ? "closed its socket" : "broke the protocol");
    }
    core_abort_unless_written(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    if (link->end == LINK_GONE) {
        if (link == core->gate) {
            core->gate = NULL;
        }
        link_free(link);
        return;
    }
    link_cancel_end(link);
    core_abort_unless_written(
        core, house_connect(core->house, clock_unix_ms(), link->conn, link->kind, "", ""));
    link_ask_to_start_over(link);
}

/* Handles all links that were marked in this pass of the core's loop. Returns true if the house was
 * sent a message. */
static bool handle_marked_links(struct core *core)
{
    bool has_changed = false;
    struct link *link;
    while ((link = link_take_next_marked(&core->links)) != NULL) {
        has_changed = true;
        if (link->end == LINK_GONE && core_nodes_keep_link(core, link)) {
            continue;
        }
        if (link->end != LINK_LIVES) {
            bool is_visit = link->kind == PEER_SESSION || link->kind == PEER_OPERATOR;
            (is_visit ? end_session_or_operator : handle_own_process_fault)(core, link);
        } else if (link->is_lost) {
            log_pairs(LOG_LEVEL_INFO, link->conn, "behind", LOG_PAIRS(NULL));
            house_note_output_dropped(core->house, link->conn);
        }
    }
    return has_changed;
}

/* Whether the message begins with these bytes. */
static bool begins_with(const struct house_output *output, const char *beginning)
{
    size_t len = strlen(beginning);
    return output->len >= len && memcmp(output->json, beginning, len) == 0;
}

static void send_to_peer(struct link *link, const struct house_output *output)
{
    if (begins_with(output, "{\"t\":\"resync\"")) {
        link_send_resync(link, output->json, output->len);
        return;
    }
    link_gather(link, output->json, output->len);
    if (link->kind == PEER_SESSION && begins_with(output, "{\"t\":\"bye\"")) {
        link_end(link, LINK_DISMISSED);
    }
}

/* Sends the messages of all durable turns. Each peer gets its messages in the order in which the
 * house queued them. */
static void deliver_messages(struct core *core)
{
    struct house_output output;
    while (house_output(core->house, &output) != 0) {
        if (output.conn == CORE_CONN_KEEPER) {
            keeper_receive(core->keeper, output.json, output.len);
            continue;
        }
        struct link *link = link_find(&core->links, output.conn);
        if (link != NULL) {
            send_to_peer(link, &output);
        }
    }
    links_send_gathered(&core->links);
}

void core_finish_pass(struct core *core)
{
    do {
        core_metrics_begin_commit(core);
        core_abort_unless_written(core, house_commit(core->house));
        core_metrics_end_commit(core);
        deliver_messages(core);
    } while (handle_marked_links(core));
    life_set_work(&core->metrics, 0);
    core_metrics_end_pass(core);
}

/* Stops receiving from all peers, also from new operators, or goes on receiving. */
static void pause_receiving(struct core *core, bool is_paused)
{
    if (core->links.is_paused == is_paused) {
        return;
    }
    links_pause_reading(&core->links, is_paused);
    if (core->operators == NULL) {
        return;
    }
    if (is_paused) {
        event_del(core->operators);
    } else {
        loop_begin(core->operators);
    }
}

void core_settle_limit_turns(struct core *core)
{
    pause_receiving(core, house_count_unsettled_turns(core->house) >= HOUSE_UNSETTLED_TURNS_MAX);
}

void core_settle_finish(struct core *core)
{
    int64_t until_ms = clock_steady_ms() + CORE_SETTLE_MAX_MS;
    pause_receiving(core, true);
    event_del(core->clock); /* the house begins no new turns */
    while (house_count_unsettled_turns(core->house) > 0 && clock_steady_ms() < until_ms) {
        /* returns within STORAGE_SETTLE_MS, because a storage with such turns has sockets */
        event_base_loop(core->base, EVLOOP_ONCE);
        core_finish_pass(core);
    }
    if (house_count_unsettled_turns(core->house) > 0) {
        log_event(LOG_LEVEL_ERROR, 0,
                  "the database has not confirmed the last changes: nobody was told of them");
    }
}
