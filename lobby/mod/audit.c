#include "lobby/mod/audit.h"

#include "lobby/mod/audit_pace.h"
#include "lobby/mod/verb.h"
#include "lobby/persons.h"
#include "lobby/staff.h"
#include "lobby/stored.h"

#include <stdlib.h>
#include <string.h>

static const char *target_type(enum order_kind kind)
{
    switch (kind) {
    case TARGET_USER:
        return "user";
    case TARGET_GUEST:
        return "guest";
    case TARGET_ADDRESS:
        return "address";
    case TARGET_KEY:
        return "key";
    case TARGET_TABLE:
        return "table";
    case TARGET_GAME:
        return "game";
    case TARGET_CHAT:
        return "chat";
    case TARGET_NONE:
    case TARGET_ANYBODY:
        break;
    }
    return "";
}

const char *audit_via(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? "system"
           : conn->is_program          ? "api"
           : conn->is_asking           ? "exec"
                                       : "tui";
}

static void audit_actor(struct house *house, const struct conn *conn, struct storage_audit *row)
{
    const struct person *person = conn->person; /* NULL: the owner's program */
    row->at_ms = house->now_ms;
    row->actor = person == NULL ? 0 : person->account;
    row->actor_name = staff_name(conn);
    row->actor_role = person == NULL                 ? "owner"
                      : person->kind == PERSON_GUEST ? "guest"
                                                     : role_name(person->role);
    row->session = conn->id;
    row->address = conn->address;
    row->fingerprint = conn->key_fingerprint;
}

static void audit_write(struct house *house, const struct storage_audit *row)
{
    int64_t id = 0;
    stored_or_fail(house, storage_audit_add(house->storage, row, &id));
}

/* NULL for none. What no row has room for is named by its length alone. */
static char *audit_state(const json_t *state)
{
    char *text = state == NULL ? NULL : json_dumps(state, JSON_COMPACT);
    if (text == NULL || strlen(text) < STORAGE_AUDIT_TEXT_SIZE) {
        return text;
    }
    json_t *instead = json_pack("{s:I}", "bytes", (json_int_t)strlen(text));
    free(text);
    text = json_dumps(instead, JSON_COMPACT);
    json_decref(instead);
    return text;
}

void audit_order(struct order *order)
{
    const struct order_target *target = &order->target;
    char *before = audit_state(order->before);
    char *after = audit_state(order->after);
    bool is_denied = order->code != NULL &&
                     (strcmp(order->code, "role") == 0 || strcmp(order->code, "self") == 0);
    struct storage_audit row = {
        .via = order->via,
        .verb = order->words->name,
        .arguments = order->arguments,
        .target_type = target_type(target->kind),
        .target_id = target->id,
        .target_name = target->name,
        .scope = order->scope,
        .duration_ms = order->duration_ms,
        .expires_ms = order->expires_ms,
        .reason = order->reason,
        .note = order->note,
        .report = order->report,
        .table_id = target->kind == TARGET_TABLE ? target->id : order->table_id,
        .game_id = target->kind == TARGET_GAME ? target->id : order->game_id,
        .line_first = order->line_first,
        .line_last = order->line_last,
        .state_before = before,
        .state_after = after,
        .result = order->code == NULL ? "ok"
                  : is_denied         ? "denied"
                                      : "error",
        .error = order->code,
        .reverses = order->reverses,
    };
    audit_actor(order->house, order->conn, &row);
    audit_write(order->house, &row);
    audit_pace_count(order->house, order->conn);
    free(before);
    free(after);
}

void audit_house(struct house *house, const struct storage_audit *row)
{
    struct storage_audit own = *row;
    own.at_ms = house->now_ms;
    own.actor_name = "the house";
    own.actor_role = "house";
    own.via = "system";
    own.result = "ok";
    audit_write(house, &own);
}

void audit_message(struct house *house, const struct conn *conn, struct storage_audit row)
{
    row.via = audit_via(conn);
    row.result = "ok";
    audit_actor(house, conn, &row);
    audit_write(house, &row);
    audit_pace_count(house, conn);
}
