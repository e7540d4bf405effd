#include "lobby/house/house.h"

#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void house_fill_random_bytes(UNUSED void *context, void *bytes, size_t len)
{
    randombytes_buf(bytes, len);
}

struct house_config house_config_default(void)
{
    return (struct house_config){
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) .section##_##key = (value),
#define CONFIG_SWITCH(section, key, value, help) .section##_##key = strcmp(#value, "yes") == 0,
#define CONFIG_TEXT(section, key, value, form, help) .section##_##key = (value),
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
        .random = house_fill_random_bytes,
    };
}

static enum house_result house_get_loop_pass_result(const struct house *house)
{
    return house->is_failed ? HOUSE_STORAGE_FAILED : HOUSE_OK;
}

struct house *house_new(const struct house_config *config, struct storage *storage, int64_t now_ms)
{
    if (sodium_init() < 0) {
        return NULL;
    }
    struct house *house = memory_new(sizeof(*house));
    house->config = *config;
    house->storage = storage;
    house->now_ms = now_ms;
    house->due_known_ms = -1;
    TAILQ_INIT(&house->laters);
    TAILQ_INIT(&house->processes);
    TAILQ_INIT(&house->answered);
    parts_call_begin_hooks(house);
    if (!rebuild_load_house(house) || house_commit(house) != HOUSE_OK) {
        house_fail(house, storage_last_failure(storage));
        journal_write_house_event(house, "unreadable",
                                  JOURNAL_PAIRS("why", house_failure_reason(house)));
        house_free(house);
        return NULL;
    }
    return house;
}

void house_free(struct house *house)
{
    if (house == NULL) {
        return;
    }
    house->is_failed = true; /* no hook may write or send anything any more */
    struct conn *conn = NULL;
    rebuild_clear_house(house);
    INDEX_EACH(&house->conns, conn)
    {
        conn_free(house, conn);
    }
    outbox_clear(&house->outbox);
    parts_call_end_hooks(house);
    free(house);
}

static void house_begin_loop_pass(struct house *house)
{
    house->due_known_ms = -1;
    if (!house->is_read_only) { /* no clock runs in read-only mode */
        downtime_begin_loop_pass(house);
    }
}

enum house_result house_connect(struct house *house, int64_t now_ms, int64_t conn_id,
                                enum peer peer, const char *address, const char *transport)
{
    house->now_ms = now_ms;
    if (conn_find(house, conn_id) != NULL) {
        return HOUSE_END_CONNECTION;
    }
    house_begin_loop_pass(house);
    struct conn *conn = conn_new(house, conn_id, peer);
    (void)snprintf(conn->address, sizeof(conn->address), "%s", address);
    (void)snprintf(conn->transport, sizeof(conn->transport), "%s", transport);
    if (peer == PEER_SESSION) {
        house->doing = (struct doing){.conn = conn_id};
        returning_restore_conn(house, conn);
        house->doing = (struct doing){0};
    }
    return house_get_loop_pass_result(house);
}

enum house_result house_disconnect(struct house *house, int64_t now_ms, int64_t conn_id)
{
    house->now_ms = now_ms;
    struct conn *conn = conn_find(house, conn_id);
    if (conn == NULL) {
        return house_get_loop_pass_result(house);
    }
    house_begin_loop_pass(house);
    parts_call_conn_gone_hooks(house, conn);
    if (conn->peer != PEER_SESSION) {
        parts_call_peer_gone_hooks(house, conn);
        /* the next peer may have the same number, and would not understand what waits */
        outbox_drop_conn(&house->outbox, conn_id);
    } else if (!house->is_read_only) { /* in read-only mode, the stored connection is removed once
                                          the disk has room */
        stored_or_fail(house, storage_connection_delete(house->storage, conn_id));
    }
    conn_free(house, conn);
    return house_get_loop_pass_result(house);
}

enum house_result house_receive(struct house *house, int64_t now_ms, int64_t conn_id,
                                const char *bytes, size_t len)
{
    house->now_ms = now_ms;
    house_begin_loop_pass(house);
    struct conn *conn = conn_find(house, conn_id);
    bool is_good = conn != NULL && message_receive(house, conn, bytes, len);
    house->doing = (struct doing){0};
    if (house->is_failed) {
        return HOUSE_STORAGE_FAILED;
    }
    return is_good ? HOUSE_OK : HOUSE_END_CONNECTION;
}

void house_note_output_dropped(struct house *house, int64_t conn_id)
{
    struct conn *conn = conn_find(house, conn_id);
    if (conn == NULL || conn->is_lost) {
        return;
    }
    house->due_known_ms = -1;
    conn_send(house, conn, json_pack("{s:s}", "t", "resync"));
    PARTS_CALL(conn_lost, house, conn);
    conn->is_lost = true;
    conn->awaits_hello = true;
}

enum house_result house_tick(struct house *house, int64_t now_ms)
{
    house->now_ms = now_ms;
    read_only_check_for_room(house);
    house_begin_loop_pass(house);
    parts_call_tick_hooks(house);
    return house_get_loop_pass_result(house);
}

int64_t house_next_tick_ms(const struct house *house)
{
    int64_t next_ms = house->due_ms;
    if (house->due_known_ms != house->now_ms) {
        struct parts_due due;
        parts_find_next_due(house, &due);
        next_ms = due.any_ms;
    }
    if (house->is_read_only && read_only_next_check_ms(house) < next_ms) {
        return read_only_next_check_ms(house);
    }
    return next_ms;
}

/* Commits the pass of the core's loop. Returns true when all changes of the pass are on disk. */
static bool house_commit_loop_pass(struct house *house)
{
    parts_call_flush_hooks(house);
    stored_answers_write(house);
    if (stored_can_commit(house)) {
        bool is_written = storage_is_dirty(house->storage);
        stored_or_fail(house, storage_commit(house->storage));
        house->has_written |= is_written && !house->is_full;
    }
    return stored_can_commit(house);
}

/* Commits the pass. After each fault, undoes the pass, gives up the work at fault, and tries again.
 */
static bool house_commit_without_faulty_work(struct house *house)
{
    bool is_written = house_commit_loop_pass(house);
    for (int i = 0; i < UNDO_TRIES_MAX && house->fault.is_met; i++) {
        if (house->is_failed || house->is_full || !undo_loop_pass(house)) {
            break;
        }
        is_written = house_commit_loop_pass(house);
    }
    if (house->fault.is_met && !house->is_full) {
        house_fail(house, house->fault.why);
    }
    return is_written;
}

/* Seals the messages of this pass, and allows those of all durable turns to be taken. A pass that
 * has messages but wrote nothing is a turn too: what it has read may be out of date if this core
 * stood still and another one has taken over the data. Returns false when the core must end. */
static bool house_settle(struct house *house)
{
    uint64_t durable = 0;
    if (outbox_needs_turn(&house->outbox, storage_last_turn(house->storage))) {
        storage_end_turn(house->storage);
    }
    if (storage_settle(house->storage, &durable) != STORAGE_OK) {
        return false;
    }
    outbox_seal(&house->outbox, storage_last_turn(house->storage));
    outbox_settle(&house->outbox, durable);
    return true;
}

enum house_result house_commit(struct house *house)
{
    bool is_written = house_commit_without_faulty_work(house);
    if (!is_written && house->is_full && !house->is_failed) {
        house->fault.is_met = false; /* read_only_begin undoes the pass, and the fault with it */
        is_written = read_only_begin(house);
    }
    if (is_written && !house->is_failed && house_settle(house)) {
        downtime_end_loop_pass(house);
        return HOUSE_OK;
    }
    house_fail(house, storage_last_failure(house->storage));
    return HOUSE_STORAGE_FAILED; /* the messages of this pass stay unsent in the outbox */
}

uint64_t house_count_unsettled_turns(const struct house *house)
{
    return storage_last_turn(house->storage) - house->outbox.durable;
}

const char *house_failure_reason(const struct house *house)
{
    return house->failed_why;
}

int house_output(struct house *house, struct house_output *output)
{
    struct outbox_message message;
    if (!outbox_take(&house->outbox, &message)) {
        return 0;
    }
    *output = (struct house_output){message.conn, message.json, message.len};
    return 1;
}

void house_measure(const struct house *house)
{
    PARTS_CALL(measure, house);
}
