#include "lobby/house/parts.h"

#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        read_ahead_for_connection(house, &row);
        parts_call_conn_return_hooks(house, conn, &row);
    }
}

static void message_connection(const struct request *request)
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

const struct message_handler handler_connection = {message_connection};

/* The stored connections that have not returned. */
struct returning_list {
    struct house *house;
    struct storage_connection *gone;
    size_t count, cap;
};

static bool returning_collect_conn_if_gone(void *context, const struct storage_connection *row)
{
    struct returning_list *list = context;
    if (conn_find(list->house, row->conn) == NULL) {
        list->gone = memory_grow(list->gone, list->count, &list->cap, sizeof(*list->gone));
        list->gone[list->count++] = *row;
    }
    return true;
}

static bool returning_any_session_survived(const struct house *house)
{
    const struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        if (conn->peer == PEER_SESSION && conn->is_returned) {
            return true;
        }
    }
    return false;
}

void returning_forget_gone_conns(struct house *house)
{
    struct returning_list list = {.house = house};
    stored_or_fail(house,
                   storage_connections_each(house->storage, returning_collect_conn_if_gone, &list));
    for (size_t i = 0; i < list.count; i++) {
        PARTS_CALL(row_gone, house, &list.gone[i]);
        stored_or_fail(house, storage_connection_delete(house->storage, list.gone[i].conn));
    }
    free(list.gone);
    PARTS_CALL(settled, house, returning_any_session_survived(house));
}

static void message_connections_end(const struct request *request)
{
    if (!request->house->is_read_only) { /* in read-only mode, gone connections are forgotten once
                                            the disk has room */
        returning_forget_gone_conns(request->house);
    }
}

const struct message_handler handler_connections_end = {message_connections_end};
