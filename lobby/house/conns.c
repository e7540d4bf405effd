#include "lobby/house/parts.h"

#include "lobby/house/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conn *conn_find(struct house *house, int64_t id)
{
    return index_find(&house->conns, &id, sizeof(id));
}

struct conn *conn_new(struct house *house, int64_t id, enum peer peer)
{
    struct conn *conn = memory_new(sizeof(*conn) + house->conn_layout.size);
    conn->layout = &house->conn_layout;
    conn->blocks = (char *)(conn + 1);
    conn->id = id;
    conn->peer = peer;
    conn->phase = PHASE_NEW;
    conn->since_ms = house->now_ms;
    index_add(&house->conns, &conn->id, sizeof(conn->id), conn);
    if (peer != PEER_SESSION) {
        TAILQ_INSERT_TAIL(&house->processes, conn, of_processes);
    }
    return conn;
}

bool conn_is_telnet(const struct conn *conn)
{
    return strcmp(conn->transport, "telnet") == 0;
}

void conn_free(struct house *house, struct conn *conn)
{
    index_remove(&house->conns, &conn->id, sizeof(conn->id));
    if (conn->peer != PEER_SESSION) {
        TAILQ_REMOVE(&house->processes, conn, of_processes);
    }
    if (conn->is_answered) {
        TAILQ_REMOVE(&house->answered, conn, of_answered);
    }
    answers_forget_all(&conn->answers);
    free(conn);
}

void conn_reset(struct conn *conn)
{
    size_t kept = offsetof(struct conn, awaits_hello);
    answers_forget_all(&conn->answers);
    memset((char *)conn + kept, 0, sizeof(*conn) - kept);
    memset(conn->blocks, 0, conn->layout->size);
    conn->phase = conn->peer == PEER_SESSION ? PHASE_NEW : conn->phase;
}

const char *phase_name(enum phase phase)
{
    switch (phase) {
    case PHASE_NEW:
        return "new";
    case PHASE_UNAUTHENTICATED:
        return "door";
    case PHASE_UNREGISTERED:
        return "visitor";
    case PHASE_IN:
        return "in";
    case PHASE_ANY:
        break;
    }
    return "";
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
