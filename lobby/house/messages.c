#include "lobby/house/parts.h"
#include "lobby/house/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void read_only_refuse(const struct request *request)
{
    answer_no(request, "read_only", _("The disk is full: try that again when there is room."));
}

static void read_only_log(const struct house *house, const char *event)
{
    char seconds[24];
    (void)snprintf(seconds, sizeof(seconds), "%" PRId64,
                   (house->now_ms - house->full_since_ms) / 1000);
    journal_write_house_event(house, event, JOURNAL_PAIRS("after_s", seconds));
}

/* Undoes what this pass of the core's loop wrote and queued. Returns false if the house cannot be
 * rebuilt from its data. */
static bool read_only_undo_loop_pass(struct house *house)
{
    storage_rollback(house->storage);
    house->is_full = false;
    bool is_built = rebuild_house(house);
    if (house->is_full) { /* the rebuild had to write something, but found no room; this can
                             wait */
        storage_rollback(house->storage);
        house->is_full = false;
    }
    return is_built;
}

static void read_only_mark_begun(struct house *house)
{
    house->is_read_only = true;
    house->full_since_ms = house->now_ms;
    read_only_log(house, "disk-full");
    if (!house->has_written) {
        house->full_at_start_ms = house->now_ms;
    }
}

bool read_only_begin(struct house *house)
{
    if (!house->is_read_only) {
        read_only_mark_begun(house);
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    return read_only_undo_loop_pass(house);
}

/* Stores where each person is now: while the disk was full, arrivals and departures could not be
 * stored. */
static void read_only_store_people(struct house *house)
{
    CONNS_EACH(conn, house) {
        if (conn->peer == PEER_SESSION && (conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0) {
            conn_save(house, conn);
        }
    }
    PARTS_CALL(save, house);
    returning_forget_gone_conns(house);
}

/* Called after the commit that stored what was kept in memory during read-only mode. Forgets what
 * was kept. */
static void read_only_forget_kept_changes(struct house *house)
{
    CONNS_EACH(conn, house) {
        conn->unsaved.conn = 0;
    }
    house->has_written = true;
    PARTS_CALL(saved, house);
}

/* Ends read-only mode: the house is rebuilt from what is stored, and every session resyncs. */
static void read_only_end(struct house *house)
{
    house->is_read_only = false;
    read_only_store_people(house);
    enum storage_result result = house->is_full ? STORAGE_FULL : storage_commit(house->storage);
    if (result == STORAGE_FULL) {
        house->is_read_only = true;
        stored_or_fail(house, read_only_undo_loop_pass(house) ? STORAGE_OK : STORAGE_IO);
        return;
    }
    stored_or_fail(house, result);
    read_only_forget_kept_changes(house);
    stored_or_fail(house, rebuild_house(house) ? STORAGE_OK : STORAGE_IO);
    read_only_log(house, "disk-has-room");
    CONNS_EACH(conn, house) {
        conn->was_read_only = true;
    }
}

void read_only_check_for_room(struct house *house)
{
    if (!house->is_read_only || house->now_ms < house->room_due_ms) {
        return;
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    enum storage_result result = storage_test_disk_space(house->storage);
    if (result == STORAGE_OK) {
        read_only_end(house);
    } else if (result != STORAGE_FULL) {
        stored_or_fail(house, result);
    }
}

void read_only_notify_session(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        conn_send_notice(
            house, conn, "warn",
            conn->phase == PHASE_IN
                ? say(_("The disk is full: look around, but nothing changes until there is room."))
                : say(_("The disk is full: no account can be made until there is room.")));
    } else if (conn->was_read_only) {
        conn_send_notice(house, conn, "info",
                         say(_("There is room on the disk again: play goes on.")));
    }
    conn->was_read_only = false;
}

static const struct message_def *find_message_def(const json_t *body)
{
    const char *type = json_read_type(body);
    for (size_t i = 0; message_list[i].type != NULL; i++) {
        if (strcmp(message_list[i].type, type) == 0) {
            return &message_list[i];
        }
    }
    return NULL;
}

/* A message that has arrived from a peer. */
struct message {
    struct request request;
    const struct message_def *def;
    size_t len; /* length of the packet in bytes */
};

/* Returns true if this peer's messages are requests, which have an id. */
static bool message_is_request(const struct message *message)
{
    return (message->request.conn->peer & (PEER_SESSION | PEER_OPERATOR)) != 0;
}

static bool message_has_flag(const struct message *message, enum message_flags flags)
{
    return (message->def->flags & flags) != 0;
}

/* Returns how many additional messages the rate limit counts because the message is long. */
static uint32_t message_compute_length_cost(const struct message *message)
{
    return (uint32_t)(message->len / LIMIT_MESSAGE_BYTES);
}

/* Returns how many messages the rate limit counts this message as, usually 1. */
static double message_compute_cost(const struct message *message)
{
    double cost = message->def->run == message_hello  ? LIMIT_HELLO_COST
                  : message_has_flag(message, COSTLY) ? LIMIT_LEADERS_COST
                                                      : 1;
    return cost + message_compute_length_cost(message);
}

/* Returns true when the message is within the rate limit. Messages beyond the limit are refused;
 * too many of those end the connection. */
static bool message_is_within_rate(const struct message *message)
{
    struct house *house = message->request.house;
    struct conn *conn = message->request.conn;
    const struct house_config *config = &house->config;
    const struct bucket_rule rule = {config->limits_input_burst, config->limits_input_per_s};
    if (conn->peer != PEER_SESSION ||
        bucket_take_tokens(&conn->input, &rule, message_compute_cost(message), house->now_ms)) {
        return true;
    }
    conn->input_excess += 1 + message_compute_length_cost(message);
    if (conn->input_excess > config->limits_input_excess) {
        journal_write(house, conn, "flood", JOURNAL_PAIRS("address", conn->address));
        conn_dismiss(house, conn,
                     say(_("Far too many messages at once: connect again, more slowly.")));
    }
    return false;
}

/* Checks what the message needs (request_need). If a need is not met, refuses the request and
 * returns false. */
static bool message_check_needs(struct message *message)
{
    struct request *request = &message->request;
    for (request_need *const *need = message->def->needs; *need != NULL; need++) {
        if (!(*need)(request)) {
            return false;
        }
    }
    return true;
}

/* Handles a request of a session or of an operator. Returns false if the message has no id. */
static bool message_handle_request(struct message *message)
{
    struct request *request = &message->request;
    struct house *house = request->house;
    if (!json_read_number(request->body, "id", 1, INT64_MAX, &request->id)) {
        return false;
    }
    bool is_in_pace = message_is_within_rate(message);
    if (request->conn->is_ending ||
        answer_register_request(request, message_has_flag(message, READS_ONLY)) == ANSWER_DONE) {
        return true;
    }
    if (!is_in_pace) {
        answer_no(request, "too_fast", _("That was too fast: wait a second, try again."));
        return true;
    }
    if (!message_has_flag(message, IDLE)) {
        PARTS_CALL(active, house, request->conn);
    }
    if (house->is_read_only && !message_has_flag(message, READS_ONLY | WHILE_FULL)) {
        read_only_refuse(request);
        return true;
    }
    house->doing.request = request->id;
    if (message_check_needs(message)) {
        message->def->run(request);
    }
    return true;
}

/* Answers a request that a peer repeats after a resync, although its session has already left the
 * phase in which that request is allowed. If the first answer is lost because the disk was full, a
 * new answer names the phase that the session has reached. Returns false for any other message. */
static bool message_answer_repeated(struct message *message)
{
    struct request *request = &message->request;
    const struct conn *conn = request->conn;
    if (!message_is_request(message) ||
        !json_read_number(request->body, "id", 1, INT64_MAX, &request->id)) {
        return false;
    }
    if (answer_send_again(request)) {
        return true;
    }
    if (message_has_flag(message, READS_ONLY) && request->id < conn->answers.newest) {
        answer_refuse_old_request(request);
        return true;
    }
    if (!conn->is_returned || !message_has_flag(message, ENTERS) ||
        answer_register_request(request, false) == ANSWER_DONE) {
        return false;
    }
    json_t *answer =
        json_pack("{s:s,s:s}", "result", conn->phase == PHASE_IN ? "in" : "visitor", "name", "");
    PARTS_CALL(describe, request->house, conn, answer);
    answer_ok(request, answer);
    return true;
}

static bool message_dispatch(struct message *message)
{
    const struct message_def *def = message->def;
    const struct conn *conn = message->request.conn;
    if (def == NULL || (def->peers & conn->peer) == 0) {
        return false;
    }
    bool is_hello = def->run == message_hello;
    if (conn->is_ending) {
        return true; /* this connection has already been sent `bye` */
    }
    if (conn->awaits_hello && !is_hello) {
        return true; /* the peer sent this message before it read our `resync`; it will send the
                        message again */
    }
    if ((def->phases & conn->phase) == 0) {
        return message_answer_repeated(message);
    }
    if (message_is_request(message) && !is_hello) {
        return message_handle_request(message);
    }
    bool is_wanted = is_hello && conn->awaits_hello;
    /* The `hello` with which a peer answers `resync` counts for the rate limit, but is never
     * refused. */
    if (message_is_within_rate(message) || (is_wanted && !conn->is_ending)) {
        def->run(&message->request);
    }
    return true;
}

/* Returns the number, from 1, of the part that this kind of worker process serves; 0: none. */
static size_t part_number_of_worker(enum peer peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->helper == peer) {
            return i + 1;
        }
    }
    return 0;
}

bool message_receive(struct house *house, struct conn *conn, const char *bytes, size_t len)
{
    bool is_too_long = conn->peer == PEER_SESSION && len > REQUEST_BYTES_MAX;
    json_t *body = is_too_long ? NULL : json_read_request(bytes, len);
    struct message message = {{house, conn, .body = body}, find_message_def(body), len};
    house->doing = (struct doing){.conn = conn->id, .part = part_number_of_worker(conn->peer)};
    bool is_good = body != NULL && message_dispatch(&message);
    json_decref(body);
    return is_good;
}

/* so many people's reads are kept at once */
#define PEOPLE_MAX 500

struct returning_rows {
    struct storage_connection *rows;
    size_t count, cap;
};

static bool collect_row(void *context, const struct storage_connection *row)
{
    struct returning_rows *list = context;
    list->rows = memory_grow(list->rows, list->count, &list->cap, sizeof(*list->rows));
    list->rows[list->count++] = *row;
    return list->count < PEOPLE_MAX;
}

void read_ahead(struct house *house, const struct storage_connection *rows, size_t count)
{
    if (!storage_read_ahead_begin(house->storage)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        PARTS_CALL(read_ahead, house, &rows[i]);
    }
    stored_or_fail(house, storage_read_ahead_end(house->storage));
}

void read_ahead_for_returning(struct house *house)
{
    struct returning_rows list = {0};
    stored_or_fail(house, storage_connections_each(house->storage, collect_row, &list));
    read_ahead(house, list.rows, list.count);
    free(list.rows);
}
