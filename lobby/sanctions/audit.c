#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"

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

int64_t audit_limit_wait_s(struct house *house, const struct conn *conn)
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

bool audit_limit_allows_request(const struct request *request)
{
    int64_t wait_s = audit_limit_wait_s(request->house, request->conn);
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

void audit_write_action(struct house *house, const struct conn *conn, const char *via,
                        struct storage_audit row)
{
    struct audit_source source;
    audit_fill_source(conn, via, &source);
    audit_write_for_source(house, &source, row);
    audit_limit_count_row(house, conn);
}
