#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* uthash's default hash function is a switch whose cases fall through, which clang does not accept
 * here. */
#define HASH_FUNCTION HASH_FNV
#include <uthash.h>

struct index_entry {
    void *item;
    UT_hash_handle hh;
};

/* uthash's macros expand to functions longer than our limit, and clang's analyser takes the first
 * entry of an emptied table for freed memory. This region contains only functions that use these
 * macros. */
/* NOLINTBEGIN(readability-function-size,clang-analyzer-unix.Malloc) */

static struct index_entry *index_entry_find(const struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = NULL;
    HASH_FIND(hh, index->entries, key, len, entry);
    return entry;
}

void index_add(struct index *index, const void *key, size_t len, void *item)
{
    struct index_entry *entry = memory_new(sizeof(*entry));
    entry->item = item;
    HASH_ADD_KEYPTR(hh, index->entries, key, len, entry);
}

void index_remove(struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = index_entry_find(index, key, len);
    assert(entry != NULL);
    HASH_DEL(index->entries, entry);
    free(entry);
}

/* NOLINTEND(readability-function-size,clang-analyzer-unix.Malloc) */

void *index_find(const struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = index_entry_find(index, key, len);
    return entry == NULL ? NULL : entry->item;
}

size_t index_count(const struct index *index)
{
    return HASH_COUNT(index->entries);
}

void *index_oldest(const struct index *index)
{
    return index->entries == NULL ? NULL : index->entries->item;
}

void *index_next_item(struct index_entry **cursor)
{
    struct index_entry *entry = *cursor;
    *cursor = entry == NULL ? NULL : entry->hh.next;
    return entry == NULL ? NULL : entry->item;
}

struct conn *conn_find(struct house *house, int64_t id)
{
    return index_find(&house->conns, &id, sizeof(id));
}

bool conn_is_telnet(const struct conn *conn)
{
    return strcmp(conn->transport, "telnet") == 0;
}

const char *phase_name(enum phase phase)
{
    static const char *const names[] = {
        [PHASE_NEW] = "new",
        [PHASE_UNAUTHENTICATED] = "door",
        [PHASE_UNREGISTERED] = "visitor",
        [PHASE_IN] = "in",
    };
    return names[phase];
}

void conn_save(struct house *house, struct conn *conn)
{
    if (conn->is_ending) {
        return;
    }
    struct storage_connection row = {
        .conn = conn->id,
        .since_ms = conn->since_ms,
    };
    bool is_in = conn->phase == PHASE_IN;
    (void)snprintf(row.phase, sizeof(row.phase), "%s",
                   is_in && conn->is_query_only ? CONN_PHASE_ASKS
                   : is_in && conn->is_program  ? CONN_PHASE_PROGRAM
                                                : phase_name(conn->phase));
    (void)snprintf(row.key_type, sizeof(row.key_type), "%s", conn->key_type);
    (void)snprintf(row.key_fingerprint, sizeof(row.key_fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(row.address, sizeof(row.address), "%s", conn->address);
    (void)snprintf(row.transport, sizeof(row.transport), "%s", conn->transport);
    PARTS_CALL(conn_row, conn, &row);
    if (house->is_read_only) { /* store the row later, once the disk has room */
        conn->unsaved = row;
    } else {
        stored_or_fail(house, storage_connection_save(house->storage, &row));
    }
}

void conn_send_payload(struct house *house, const struct conn *conn, struct payload *payload)
{
    if (!conn->is_lost) {
        outbox_add(&house->outbox, conn->id, payload);
    }
}

void conn_send(struct house *house, const struct conn *conn, json_t *message)
{
    struct payload *payload = payload_from_json(message);
    conn_send_payload(house, conn, payload);
    payload_release(payload);
}

void conn_send_notice(struct house *house, const struct conn *conn, const char *kind,
                      json_t *sentence)
{
    json_t *message = json_pack("{s:s,s:s}", "t", "notice", "kind", kind);
    say_set_field(message, "text", sentence);
    conn_send(house, conn, message);
}

void conn_notify_removed_from_table(struct house *house, const struct conn *conn,
                                    int64_t table_number, json_t *why)
{
    json_t *message = json_pack("{s:s,s:I}", "t", "sent_out", "table", (json_int_t)table_number);
    say_set_field(message, "why", why);
    conn_send(house, conn, message);
}

void conn_dismiss(struct house *house, struct conn *conn, json_t *why)
{
    char kept[STORAGE_BYE_SIZE];
    json_t *message = json_pack("{s:s}", "t", "bye");
    say_write_stored_sentence(why, kept, sizeof(kept));
    say_set_field(message, "why", why);
    struct payload *payload = payload_from_json(message);
    /* the `bye` is sent even if output to the connection was dropped before */
    outbox_add(&house->outbox, conn->id, payload);
    payload_release(payload);
    /* the goodbye is stored because this core may end before it sends `bye` */
    if (!conn->is_ending && (conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0 &&
        !house->is_read_only) {
        stored_or_fail(house, storage_connection_store_goodbye(house->storage, conn->id, kept));
    }
    conn->is_ending = true;
}

/* Reads the stored state of a connection. If that state could not be stored yet, takes it from
 * memory. Returns false when nobody has signed in on the connection. */
static bool returning_read_conn_row(struct house *house, const struct conn *conn,
                                    struct storage_connection *row)
{
    if (conn->unsaved.conn != 0) {
        *row = conn->unsaved;
        return true;
    }
    return stored(house, storage_connection_read(house->storage, conn->id, row));
}

/* Makes the reads of returning_restore_conn in one go. */
static void read_conn_ahead(struct house *house, const struct conn *conn)
{
    struct storage_connection row;
    char why[STORAGE_BYE_SIZE];
    if (storage_read_ahead_begin(house->storage)) {
        stored_ahead(house, storage_connection_read(house->storage, conn->id, &row));
        stored_ahead(house, storage_connection_read_goodbye(house->storage, conn->id, why));
        stored_or_fail(house, storage_read_ahead_end(house->storage));
    }
}

static void parts_call_conn_return_hooks(struct house *house, struct conn *conn,
                                         const struct storage_connection *row)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->conn_return != NULL && !house_parts[i]->conn_return(house, conn, row)) {
            return;
        }
    }
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

void returning_restore_conn(struct house *house, struct conn *conn)
{
    struct storage_connection row;
    char why[STORAGE_BYE_SIZE];
    stored_answers_claim(house, conn);
    read_conn_ahead(house, conn);
    if (!returning_read_conn_row(house, conn, &row)) {
        return;
    }
    conn->awaits_hello = true;
    conn->is_returned = true;
    conn->since_ms = row.since_ms;
    if (stored(house, storage_connection_read_goodbye(house->storage, conn->id, why))) {
        conn_dismiss(house, conn, say_parse_stored_sentence(why));
        return;
    }
    (void)snprintf(conn->key_type, sizeof(conn->key_type), "%s", row.key_type);
    (void)snprintf(conn->key_fingerprint, sizeof(conn->key_fingerprint), "%s", row.key_fingerprint);
    if (strcmp(row.phase, "visitor") == 0) {
        conn->phase = PHASE_UNREGISTERED;
        return;
    }
    conn->is_query_only = strcmp(row.phase, CONN_PHASE_ASKS) == 0;
    conn->is_program = strcmp(row.phase, CONN_PHASE_PROGRAM) == 0;
    bool is_in = conn->is_query_only || conn->is_program || strcmp(row.phase, "in") == 0;
    if (is_in) {
        read_ahead(house, &row, 1);
        parts_call_conn_return_hooks(house, conn, &row);
    }
}

void message_connection(const struct request *request)
{
    /* By now the core's event loop has taken over the new socket and called house_connect. */
    int64_t id = 0;
    bool is_in = json_read_bool(request->body, "signed_in", false);
    struct conn *session = json_read_number(request->body, "conn", 1, INT64_MAX, &id)
                               ? conn_find(request->house, id)
                               : NULL;
    if (is_in && session != NULL) {
        session->is_unknown = (session->phase & (PHASE_NEW | PHASE_UNAUTHENTICATED)) != 0;
    }
}

struct stored_conns {
    struct storage_connection *rows;
    size_t count, cap;
};

static bool collect_stored_conn(void *context, const struct storage_connection *row)
{
    struct stored_conns *list = context;
    list->rows = memory_grow(list->rows, list->count, &list->cap, sizeof(*list->rows));
    list->rows[list->count++] = *row;
    return true;
}

/* so many people's reads are kept at once */
#define PEOPLE_MAX 500

void read_ahead_for_returning(struct house *house)
{
    struct stored_conns list = {0};
    stored_or_fail(house, storage_connections_each(house->storage, collect_stored_conn, &list));
    read_ahead(house, list.rows, list.count < PEOPLE_MAX ? list.count : PEOPLE_MAX);
    free(list.rows);
}

static bool returning_any_session_survived(const struct house *house)
{
    CONNS_EACH(conn, house) {
        if (conn->peer == PEER_SESSION && conn->is_returned) {
            return true;
        }
    }
    return false;
}

void returning_forget_gone_conns(struct house *house)
{
    struct stored_conns list = {0};
    stored_or_fail(house, storage_connections_each(house->storage, collect_stored_conn, &list));
    for (size_t i = 0; i < list.count; i++) {
        if (conn_find(house, list.rows[i].conn) != NULL) {
            continue;
        }
        PARTS_CALL(row_gone, house, &list.rows[i]);
        stored_or_fail(house, storage_connection_delete(house->storage, list.rows[i].conn));
    }
    free(list.rows);
    stored_answers_forget_unclaimed(house);
    PARTS_CALL(settled, house, returning_any_session_survived(house));
}

void message_connections_end(const struct request *request)
{
    if (!request->house->is_read_only) { /* in read-only mode, gone connections are forgotten once
                                            the disk has room */
        returning_forget_gone_conns(request->house);
    }
}

void source_write_from_address(const char *address, char source[STORAGE_ADDRESS_SIZE])
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    uint8_t bytes[16];
    (void)snprintf(source, STORAGE_ADDRESS_SIZE, "%s", address);
    if (inet_pton(AF_INET6, address, bytes) != 1) {
        return;
    }
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
        (void)inet_ntop(AF_INET, bytes + sizeof(mapped), source, STORAGE_ADDRESS_SIZE);
        return;
    }
    bool is_loopback = strcmp(address, "::1") == 0;
    memset(bytes + 8, 0, is_loopback ? 0 : 8);
    (void)inet_ntop(AF_INET6, bytes, source, STORAGE_ADDRESS_SIZE);
}

bool source_is_local(const char *source)
{
    return strncmp(source, "127.", 4) == 0 || strcmp(source, "::1") == 0;
}

bool bucket_take_tokens(struct bucket *bucket, const struct bucket_rule *rule, double cost,
                        int64_t now_ms)
{
    if (now_ms > bucket->at_ms) {
        double grown = (double)(now_ms - bucket->at_ms) * rule->per_second / 1000.0;
        bucket->used = bucket->used > grown ? bucket->used - grown : 0;
    }
    bucket->at_ms = now_ms;
    if (bucket->used + cost > rule->burst) {
        return false;
    }
    bucket->used += cost;
    return true;
}
