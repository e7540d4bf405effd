#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"

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

/* Returns the rate limits of all people, indexed by `who`. */
static struct index *get_audit_limits(const struct house *house)
{
    return PART_STATE(house, audit_limit);
}

/* Writes the key under which a person's audit rows are counted: the account, or for a guest the
 * source of the connection (source.h), or for a guest on the local machine the guest's name. */
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
    index_remove(get_audit_limits(house), limit->who, strlen(limit->who));
    free(limit);
}

static struct limit *find_or_add_limit(struct house *house, const char *who)
{
    struct limit *limit = index_find(get_audit_limits(house), who, strlen(who));
    if (limit != NULL) {
        return limit;
    }
    if (index_count(get_audit_limits(house)) >= LIMITS_MAX) {
        remove_limit(house, index_oldest(get_audit_limits(house)));
    }
    limit = memory_new(sizeof(*limit));
    (void)snprintf(limit->who, sizeof(limit->who), "%s", who);
    index_add(get_audit_limits(house), limit->who, strlen(limit->who), limit);
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
    const struct limit *limit = index_find(get_audit_limits(house), who, strlen(who));
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
    answer_retry_later(
        request, wait_s,
        _("Such requests are logged, and you have made too many: try again in %d s."), (int)wait_s);
    return false;
}

void audit_limit_count_row(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return;
    }
    write_limit_key(house, conn, who);
    const struct bucket_rule rule = rate_limit_of_conn(house, conn);
    (void)bucket_take_tokens(&find_or_add_limit(house, who)->bucket, &rule, 1, house->now_ms);
}

static void clear_limits(struct house *house)
{
    struct limit *limit = NULL;
    INDEX_EACH(get_audit_limits(house), limit)
    {
        remove_limit(house, limit);
    }
}

const struct need need_audit = {.holds = audit_limit_allows_request};

const struct part audit_limit_part = {
    .name = "audit-limit",
    .house_size = sizeof(struct index),
    .end = clear_limits,
};
