#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "lobby/house/say.h"

#include <event2/event.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends waiting packets. Returns false if the socket is full again. */
static bool send_waiting_packets(struct link *link)
{
    size_t sent = 0;
    bool has_room = true;
    while (has_room && sent < link->unsent.len) {
        size_t len;
        memcpy(&len, link->unsent.at + sent, sizeof len);
        if (packet_send(link->socket, link->unsent.at + sent + sizeof len, len, -1) ==
            PACKET_AGAIN) {
            has_room = false;
        } else {
            sent += sizeof len + len;
        }
    }
    bytes_drop_first(&link->unsent, sent);
    return has_room;
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    struct link *link = context;
    if (send_waiting_packets(link)) {
        bytes_clear(&link->unsent);
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
    bool is_to_read = link->end == LINK_LIVES && link->socket >= 0 && !link->set->is_paused;
    if (is_to_read && event_add(link->readable, NULL) != 0) {
        abort(); /* out of memory */
    }
}

void links_pause_reading(struct links *set, bool is_paused)
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
    bytes_init(&link->unsent, set->unsent_max);
    link_attach(link, base, socket, on_readable);
    if (tsearch(link, &set->by_conn, compare_conn_numbers) == NULL) {
        abort();
    }
    LIST_INSERT_HEAD(&set->all, link, in_all);
    return link;
}

void link_attach(struct link *link, struct event_base *base, int socket,
                 link_read_handler *on_readable)
{
    link->socket = socket;
    link->readable = event_new(base, socket, EV_READ | EV_PERSIST, on_readable, link);
    link->writable = event_new(base, socket, EV_WRITE | EV_PERSIST, send_when_writable, link);
    if (link->readable == NULL || link->writable == NULL) {
        abort();
    }
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
    bytes_clear(&link->unsent);
}

static void end_gathering(struct link *link)
{
    if (link->has_gathered) {
        LIST_REMOVE(link, in_gathered);
        link->has_gathered = false;
    }
}

void link_free(struct link *link)
{
    if (link == NULL) {
        return;
    }
    tdelete(link, &link->set->by_conn, compare_conn_numbers);
    LIST_REMOVE(link, in_all);
    if (link->is_marked) {
        LIST_REMOVE(link, in_marked);
    }
    end_gathering(link);
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

static void mark_for_end_of_pass(struct link *link)
{
    if (!link->is_marked) {
        link->is_marked = true;
        LIST_INSERT_HEAD(&link->set->marked, link, in_marked);
    }
}

/* Sends what waits. What the socket has no room for is sent once it has. */
static void flush(struct link *link)
{
    if (link->unsent.len == 0 || event_pending(link->writable, EV_WRITE, NULL)) {
        return;
    }
    if (send_waiting_packets(link)) {
        bytes_clear(&link->unsent); /* most links have nothing to send most of the time */
    } else {
        event_add(link->writable, NULL);
    }
}

static bool fits_queue(const struct link *link, size_t len)
{
    return link->unsent.len + sizeof len + len <= link->set->unsent_max;
}

static void queue_packet(struct link *link, const char *json, size_t len)
{
    if (!fits_queue(link, len)) {
        flush(link);
    }
    if (!fits_queue(link, len)) {
        bytes_clear(&link->unsent);
        link->is_lost = true;
        mark_for_end_of_pass(link);
        return;
    }
    if (!bytes_add(&link->unsent, &len, sizeof len) || !bytes_add(&link->unsent, json, len)) {
        abort(); /* there is room, as checked above */
    }
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
        (link->unsent.len > 0 || packet_send(link->socket, json, len, -1) == PACKET_AGAIN)) {
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
    if (!link->has_gathered) {
        link->has_gathered = true;
        LIST_INSERT_HEAD(&link->set->gathered, link, in_gathered);
    }
}

void links_send_gathered(struct links *set)
{
    struct link *link;
    while ((link = LIST_FIRST(&set->gathered)) != NULL) {
        end_gathering(link);
        flush(link);
    }
}

void link_send_resync(struct link *link, const char *json, size_t len)
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
    mark_for_end_of_pass(link);
}

void link_cancel_end(struct link *link)
{
    link->end = LINK_LIVES;
    begin_reading(link);
}

struct link *link_take_next_marked(struct links *set)
{
    struct link *link = LIST_FIRST(&set->marked);
    if (link != NULL) {
        LIST_REMOVE(link, in_marked);
        link->is_marked = false;
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
