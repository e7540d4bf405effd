#include "daemon/processes/core.h"

#include "daemon/base/clock.h"
#include "daemon/base/i18n.h"
#include "daemon/base/log.h"
#include "daemon/base/packet.h"
#include "daemon/processes/core_link.h"
#include "lobby/house.h"
#include "lobby/protocol/json_read.h"
#include "storage/storage.h"

#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TYPE_MAX 32
#define ADDRESS_MAX 64
#define TRANSPORT_MAX 16

/* So many packets of one peer a turn: the others get theirs. */
#define TURN_PACKETS 16

/* After so much quiet there is time for the storage's housekeeping. */
#define QUIET_US 250000

struct core {
    struct storage *storage;
    struct house *house;
    struct event_base *base;
    struct event *clock;
    struct event *quiet;
    struct event *stop;
    struct links links;
    struct link *gate; /* one of them; NULL once its end is closed */
    bool is_adopting;  /* until connections_end: sessions that come have known an earlier core */
    bool is_stopping;
    char buffer[PACKET_MAX];
};

/* Nothing of this turn has been told, so the next core may begin from what is on disk. */
static void check(const struct core *core, enum house_result result)
{
    if (result == HOUSE_STORAGE_FAILED) {
        log_event(LOG_LEVEL_ERROR, 0, "the data cannot be written: %s", storage_why(core->storage));
        abort();
    }
}

static void send_text(struct link *link, const char *json)
{
    link_send(link, json, strlen(json));
}

static void send_json(struct link *link, json_t *message)
{
    char *json = message == NULL ? NULL : json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (json == NULL) {
        abort(); /* out of memory */
    }
    send_text(link, json);
    free(json);
}

static void on_readable(int socket, short events, void *context);

/* A peer that has known an earlier core is asked to begin anew. */
static void ask_to_begin(struct link *link)
{
    link->awaits_hello = true;
    send_text(link, "{\"t\":\"resync\"}");
}

static struct link *add_link(struct core *core, int socket, int64_t conn, enum peer kind)
{
    struct link *link = link_new(&core->links, core->base, socket, conn, kind, on_readable);
    link->owner = core;
    return link;
}

static void close_passed(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

/* The gate brings a session: its number, where it comes from, and the core's end of its socket. */
static void take_connection(struct core *core, const json_t *message, int fd)
{
    int64_t conn;
    const char *address = json_read_text(message, "address", ADDRESS_MAX);
    const char *transport = json_read_text(message, "transport", TRANSPORT_MAX);
    if (fd < 0 || address == NULL || transport == NULL ||
        !json_read_number(message, "conn", CORE_WORKERS_MAX + 1, INT64_MAX, &conn)) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate handed over a connection that is none");
        close_passed(fd);
        return;
    }
    if (link_find(&core->links, conn) != NULL) {
        close(fd); /* handed over again: we have it */
        return;
    }
    struct link *link = add_link(core, fd, conn, PEER_SESSION);
    log_event(LOG_LEVEL_INFO, conn, "connected from %s by %s", address, transport);
    if (core->is_adopting) {
        ask_to_begin(link);
    }
    enum house_result result =
        house_connect(core->house, clock_unix_ms(), conn, PEER_SESSION, address, transport);
    check(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

/* What the gate says concerns sockets first, then the house. */
static void take_from_gate(struct core *core, const char *bytes, size_t len, int fd)
{
    json_t *message = json_read_object(bytes, len);
    const char *type = json_read_text(message, "t", TYPE_MAX);
    if (type != NULL && strcmp(type, "connection") == 0) {
        take_connection(core, message, fd);
    } else {
        close_passed(fd);
    }
    if (type != NULL && strcmp(type, "connections_end") == 0) {
        core->is_adopting = false;
    }
    json_decref(message);
}

static bool is_hello(const char *bytes, size_t len)
{
    json_t *message = json_read_object(bytes, len);
    const char *type = json_read_text(message, "t", TYPE_MAX);
    bool is_it = type != NULL && strcmp(type, "hello") == 0;
    json_decref(message);
    return is_it;
}

/* What a peer said to an earlier core is passed over, up to its `hello`. */
static bool is_for_us(const struct core *core, struct link *link, size_t len)
{
    if (link->awaits_hello) {
        link->awaits_hello = !is_hello(core->buffer, len);
    }
    return !link->awaits_hello;
}

static void take_packet(struct core *core, struct link *link, size_t len, int fd)
{
    if (!is_for_us(core, link, len)) {
        close_passed(fd);
        return;
    }
    if (link->kind == PEER_GATE) {
        take_from_gate(core, core->buffer, len, fd);
    }
    enum house_result result =
        house_receive(core->house, clock_unix_ms(), link->conn, core->buffer, len);
    check(core, result);
    if (result == HOUSE_END_CONNECTION) {
        link_end(link, LINK_UNFIT);
    }
}

static void on_readable(int socket, short events, void *context)
{
    (void)events;
    struct link *link = context;
    struct core *core = link->owner;
    for (unsigned i = 0; i < TURN_PACKETS && link->end == LINK_LIVES; i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, core->buffer, &len, link->kind == PEER_GATE ? &fd : NULL)) {
        case PACKET_OK:
            take_packet(core, link, len, fd);
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

static void on_clock(int socket, short events, void *context)
{
    (void)socket;
    (void)events;
    struct core *core = context;
    check(core, house_tick(core->house, clock_unix_ms()));
}

static void on_quiet(int socket, short events, void *context)
{
    (void)socket;
    (void)events;
    struct core *core = context;
    storage_idle(core->storage);
}

static void on_stop(int signal_number, short events, void *context)
{
    (void)signal_number;
    (void)events;
    struct core *core = context;
    core->is_stopping = true;
}

/* The session's end is told to those who have to know: itself, the house, the gate. */
static void end_session(struct core *core, struct link *link)
{
    static const char *const what[] = {
        [LINK_GONE] = "gone",
        [LINK_DISMISSED] = "dismissed",
        [LINK_UNFIT] = "ended: it broke the protocol",
    };
    log_event(LOG_LEVEL_INFO, link->conn, "%s", what[link->end]);
    if (link->end == LINK_UNFIT) {
        send_json(link, json_pack("{s:s, s:s}", "t", "bye", "why",
                                  _("The connection ends: your program did not keep to the "
                                    "protocol.")));
    }
    if (core->gate != NULL) {
        send_json(core->gate, json_pack("{s:s, s:I}", "t", "drop", "conn", (json_int_t)link->conn));
    }
    check(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    link_free(link);
}

/* Workers and the gate are ours: an unfit one has to begin anew, and its socket stays. */
static void end_worker(struct core *core, struct link *link)
{
    log_event(LOG_LEVEL_ERROR, link->conn, "one of our own processes %s",
              link->end == LINK_GONE ? "closed its socket" : "broke the protocol");
    check(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    if (link->end == LINK_GONE) {
        if (link == core->gate) {
            core->gate = NULL;
        }
        link_free(link);
        return;
    }
    link_revive(link);
    check(core, house_connect(core->house, clock_unix_ms(), link->conn, link->kind, "", ""));
    ask_to_begin(link);
}

/* Acts on the links' marks; true when the house had to be told something. */
static bool attend_links(struct core *core)
{
    bool has_changed = false;
    struct link *link;
    while ((link = link_take_marked(&core->links)) != NULL) {
        has_changed = true;
        if (link->end != LINK_LIVES) {
            (link->kind == PEER_SESSION ? end_session : end_worker)(core, link);
        } else {
            link->is_lost = false;
            log_event(LOG_LEVEL_INFO, link->conn, "fell behind");
            house_lost(core->house, link->conn);
        }
    }
    return has_changed;
}

/* A session that the house has told `bye` ends with it. */
static void dismiss_after_bye(struct link *link, const struct house_output *output)
{
    static const char bye[] = "{\"t\":\"bye\"";
    if (link->kind == PEER_SESSION && output->len >= sizeof bye - 1 &&
        memcmp(output->json, bye, sizeof bye - 1) == 0) {
        link_end(link, LINK_DISMISSED);
    }
}

static void deliver(struct core *core)
{
    struct house_output output;
    while (house_output(core->house, &output) != 0) {
        struct link *link = link_find(&core->links, output.conn);
        if (link != NULL) {
            link_send(link, output.json, output.len);
            dismiss_after_bye(link, &output);
        }
    }
}

/* The end of a turn: what happened is made durable, then told. Telling may show that a peer has
 * fallen behind, which is an event like any other. */
static void finish_turn(struct core *core)
{
    do {
        check(core, house_commit(core->house));
        deliver(core);
    } while (attend_links(core));
}

static void set_timers(struct core *core)
{
    int64_t next_ms = house_next_ms(core->house);
    if (next_ms == INT64_MAX) {
        event_del(core->clock);
    } else {
        int64_t wait_ms = next_ms - clock_unix_ms();
        if (wait_ms < 0) {
            wait_ms = 0;
        }
        const struct timeval wait = {.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000};
        event_add(core->clock, &wait);
    }
    const struct timeval quiet = {.tv_usec = QUIET_US};
    event_add(core->quiet, &quiet);
}

static void say_goodbye(struct core *core)
{
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        if (link->kind == PEER_SESSION) {
            send_json(link, json_pack("{s:s, s:s}", "t", "bye", "why",
                                      _("The house closes. Tables in play are kept.")));
        }
    }
}

static bool open_house(struct core *core, const struct core_setup *setup)
{
    char why[STORAGE_WHY_SIZE];
    if (storage_open(setup->database, &core->storage, why) != STORAGE_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "%s", why);
        return false;
    }
    struct house_config config = house_config_default();
    config.name = setup->name;
    config.bot_delay_ms = setup->bot_delay_ms;
    config.absent_grace_s = setup->absent_grace_s;
    core->house = house_new(&config, core->storage, clock_unix_ms());
    return core->house != NULL;
}

/* The peers that came with the setup have the numbers 1, 2, …; the gate's are far above. */
static void adopt_peers(struct core *core, const struct core_setup *setup)
{
    core->gate = add_link(core, setup->gate_socket, 1, PEER_GATE);
    for (unsigned i = 0; i < setup->worker_count; i++) {
        enum peer kind = setup->workers[i].kind == CORE_WORKER_AUTH ? PEER_AUTH : PEER_BOT;
        add_link(core, setup->workers[i].socket, (int64_t)i + 2, kind);
    }
    struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        check(core, house_connect(core->house, clock_unix_ms(), link->conn, link->kind, "", ""));
        ask_to_begin(link);
    }
}

static bool open_loop(struct core *core)
{
    core->base = event_base_new();
    if (core->base == NULL) {
        return false;
    }
    core->clock = evtimer_new(core->base, on_clock, core);
    core->quiet = evtimer_new(core->base, on_quiet, core);
    core->stop = evsignal_new(core->base, SIGTERM, on_stop, core);
    return core->clock != NULL && core->quiet != NULL && core->stop != NULL &&
           event_add(core->stop, NULL) == 0;
}

static void close_all(struct core *core)
{
    struct link *link;
    while ((link = LIST_FIRST(&core->links.all)) != NULL) {
        link_free(link);
    }
    house_free(core->house);
    storage_close(core->storage);
    struct event *events[] = {core->clock, core->quiet, core->stop};
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (events[i] != NULL) {
            event_free(events[i]);
        }
    }
    if (core->base != NULL) {
        event_base_free(core->base);
    }
}

int core_run(const struct core_setup *setup)
{
    struct core core = {.is_adopting = true};
    int status = 1;
    int64_t begun_ms = clock_steady_ms();
    if (!open_loop(&core) || !open_house(&core, setup)) {
        goto done;
    }
    adopt_peers(&core, setup);
    log_event(LOG_LEVEL_INFO, 0, "loaded in %" PRId64 " ms", clock_steady_ms() - begun_ms);
    if (setup->ready_fd >= 0) {
        if (write(setup->ready_fd, "", 1) != 1) {
            log_event(LOG_LEVEL_WARN, 0, "nobody waits for the core to be ready");
        }
        close(setup->ready_fd);
    }
    while (!core.is_stopping && core.gate != NULL) {
        finish_turn(&core);
        set_timers(&core);
        event_base_loop(core.base, EVLOOP_ONCE);
    }
    finish_turn(&core);
    say_goodbye(&core);
    log_event(LOG_LEVEL_INFO, 0, "closed in good order");
    status = 0;
done:
    close_all(&core);
    return status;
}
