#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the most people whose rows are counted; another person replaces the oldest entry */
#define LIMITS_MAX 4096
#define STAFF_TIMES 20 /* the limit of staff is this many times the limit of players */

/* The rate limit of one person who has caused audit rows lately. */
struct limit {
    char who[STORAGE_ADDRESS_SIZE];
    struct bucket bucket;
};

/* Writes the key under which a person's audit rows are counted: the account, or for a guest the
 * source of the connection (house/parts.h), or for a guest on the local machine the guest's name.
 */
static void write_limit_key(const struct house *house, const struct conn *conn,
                            char who[STORAGE_ADDRESS_SIZE])
{
    source_write_from_address(conn->address, who);
    if (conn->person->account != 0) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "account %" PRId64, conn->person->account);
    } else if (source_is_local(who) && !house->config.door_limit_loopback) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "%s", conn->person->name);
    }
}

static struct bucket_rule rate_limit_of_conn(const struct house *house, const struct conn *conn)
{
    const struct house_config *config = &house->config;
    double times = conn->person->role == STORAGE_ROLE_PLAYER ? 1 : STAFF_TIMES;
    return (struct bucket_rule){
        .burst = times * config->limits_audit_burst,
        .per_second = times * config->limits_audit_per_h / 3600.0,
    };
}

static void remove_limit(struct house *house, struct limit *limit)
{
    index_remove(&sanctions_house_state(house)->audit_limits, limit->who, strlen(limit->who));
    free(limit);
}

static struct limit *find_or_add_limit(struct house *house, const char *who)
{
    struct index *limits = &sanctions_house_state(house)->audit_limits;
    struct limit *limit = index_find(limits, who, strlen(who));
    if (limit != NULL) {
        return limit;
    }
    if (index_count(limits) >= LIMITS_MAX) {
        remove_limit(house, index_oldest(limits));
    }
    limit = memory_new(sizeof(*limit));
    (void)snprintf(limit->who, sizeof(limit->who), "%s", who);
    index_add(limits, limit->who, strlen(limit->who), limit);
    return limit;
}

/* Returns how many seconds a person has to wait before they may cause another audit row; 0:
 * none. */
static int64_t get_wait_before_next_row_s(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return 0; /* the owner's program has no limit */
    }
    write_limit_key(house, conn, who);
    const struct limit *limit =
        index_find(&sanctions_house_state(house)->audit_limits, who, strlen(who));
    const struct bucket_rule rule = rate_limit_of_conn(house, conn);
    struct bucket trial = {0};
    if (limit != NULL) {
        trial = limit->bucket;
    }
    if (bucket_take_tokens(&trial, &rule, 1, house->now_ms)) {
        return 0;
    }
    return (int64_t)ceil((trial.used + 1 - rule.burst) / rule.per_second);
}

bool audit_limit_allows_row(struct house *house, const struct conn *conn)
{
    return get_wait_before_next_row_s(house, conn) == 0;
}

bool audit_limit_allows_request(const struct request *request)
{
    int64_t wait_s = get_wait_before_next_row_s(request->house, request->conn);
    if (wait_s == 0) {
        return true;
    }
    return answer_retry_later(
        request, wait_s,
        _("Such requests are logged, and you have made too many: try again in %d s."), (int)wait_s);
}

/* Counts an audit row that the person of this connection has caused. */
static void audit_limit_count_row(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return;
    }
    write_limit_key(house, conn, who);
    const struct bucket_rule rule = rate_limit_of_conn(house, conn);
    (void)bucket_take_tokens(&find_or_add_limit(house, who)->bucket, &rule, 1, house->now_ms);
}

void audit_limits_clear(struct house *house)
{
    INDEX_ITEMS_EACH(struct limit, limit, &sanctions_house_state(house)->audit_limits) {
        remove_limit(house, limit);
    }
}

bool need_audit(struct request *request)
{
    return audit_limit_allows_request(request);
}

/* The name of each kind of target, by the index of its bit in enum order_kind. */
static const char *const target_types[] = {"user",  "guest", "address", "key",
                                           "table", "game",  "chat"};

static const char *target_type_name(enum order_kind kind)
{
    for (size_t i = 0; i < ARRAY_LEN(target_types); i++) {
        if (kind == 1U << i) {
            return target_types[i];
        }
    }
    return "";
}

const char *audit_interface_name(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? "system"
           : conn->is_program          ? "api"
           : conn->is_query_only       ? "exec"
                                       : "tui";
}

void audit_fill_source(const struct conn *conn, const char *via, struct audit_source *source)
{
    /* the person is NULL when the request comes from the owner's program */
    const struct person *person = conn->person;
    *source = (struct audit_source){
        .account = person == NULL ? 0 : person->account,
        .session = conn->id,
        .role = person == NULL                 ? "owner"
                : person->kind == PERSON_GUEST ? "guest"
                                               : role_name(person->role),
        .via = via,
    };
    (void)snprintf(source->name, sizeof(source->name), "%s", staff_name_of_conn(conn));
    (void)snprintf(source->address, sizeof(source->address), "%s", conn->address);
    (void)snprintf(source->fingerprint, sizeof(source->fingerprint), "%s", conn->key_fingerprint);
}

void audit_write_for_source(struct house *house, const struct audit_source *source,
                            struct storage_audit row)
{
    row.at_ms = house->now_ms;
    row.actor = source->account;
    row.actor_name = source->name;
    row.actor_role = source->role;
    row.session = source->session;
    row.address = source->address;
    row.fingerprint = source->fingerprint;
    row.via = source->via;
    int64_t id = 0;
    stored_or_fail(house, storage_audit_add(house->storage, &row, &id));
}

/* Returns the state as JSON text; NULL when there is no state. A text that is too long for the
 * audit log is replaced by its length. */
static char *state_to_text(const json_t *state)
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

/* Returns the state without what a player wrote in a report or an appeal: its row names the case,
 * which has the words and is deleted some day, as the row never is. */
static json_t *state_without_words_of_players(json_t *state)
{
    (void)json_object_del(state, "text");
    (void)json_object_del(state, "appeal");
    return state;
}

void audit_write_order(struct order *order)
{
    const struct order_target *target = &order->target;
    char *before = state_to_text(state_without_words_of_players(order->before));
    char *after = state_to_text(state_without_words_of_players(order->after));
    bool has_words_of_player = (order->command->flags & MOD_CASE) != 0;
    char case_arguments[2 * STORAGE_FINGERPRINT_SIZE];
    (void)snprintf(case_arguments, sizeof(case_arguments), "%s%s%s", target->name,
                   order->word[0] == '\0' ? "" : " ", order->word);
    struct audit_source source;
    struct storage_audit row = {
        .verb = order->words->name,
        .arguments = has_words_of_player ? case_arguments : order->arguments,
        .target_type = target_type_name(target->kind),
        .target_id = target->id,
        .target_name = target->name,
        .scope = order->scope,
        .duration_ms = order->duration_ms,
        .expires_ms = order->expires_ms,
        .reason = has_words_of_player ? "" : order->reason,
        .note = has_words_of_player ? "" : order->note,
        .report = order->report,
        .table_id = target->kind == TARGET_TABLE ? target->id : order->table_id,
        .game_id = target->kind == TARGET_GAME ? target->id : order->game_id,
        .line_first = order->line_first,
        .line_last = order->line_last,
        .state_before = before,
        .state_after = after,
        .result = order->code == NULL      ? "ok"
                  : order_is_denied(order) ? "denied"
                                           : "error",
        .error = order->code,
        .reverses = order->reverses,
    };
    audit_fill_source(order->conn, order->via, &source);
    audit_write_for_source(order->house, &source, row);
    audit_limit_count_row(order->house, order->conn);
    free(before);
    free(after);
}

void audit_write_house_action(struct house *house, const struct storage_audit *row)
{
    struct storage_audit own = *row;
    own.at_ms = house->now_ms;
    own.actor_name = "the house";
    own.actor_role = "house";
    own.via = "system";
    own.result = "ok";
    int64_t id = 0;
    stored_or_fail(house, storage_audit_add(house->storage, &own, &id));
}

void audit_write_message_action(struct house *house, const struct conn *conn,
                                struct storage_audit row)
{
    struct audit_source source;
    row.result = "ok";
    audit_fill_source(conn, audit_interface_name(conn), &source);
    audit_write_for_source(house, &source, row);
    audit_limit_count_row(house, conn);
}
