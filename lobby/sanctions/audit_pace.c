#include "lobby/sanctions/audit_pace.h"

#include "lobby/house/answers.h"
#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/house/source.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACES_MAX 4096 /* remembered; the oldest goes first */
#define STAFF_TIMES 20 /* times the rows of others */

/* Somebody who causes rows, and how many lately. */
struct pace {
    char who[STORAGE_ADDRESS_SIZE];
    struct bucket bucket;
};

struct paces {
    struct index by_who; /* the account, or of a guest where they connect from */
};

static struct paces *paces_of(const struct house *house)
{
    return PART_STATE(house, audit_pace);
}

/* The account; for guests their source, and on the local machine their name. */
static void pace_who(const struct house *house, const struct conn *conn,
                     char who[STORAGE_ADDRESS_SIZE])
{
    source_of(conn->address, who);
    if (conn->person->account != 0) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "account %" PRId64, conn->person->account);
    } else if (source_is_local(who) && !house->config.door_limit_loopback) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "%s", conn->person->name);
    }
}

static struct bucket_rule pace_rule(const struct house *house, const struct conn *conn)
{
    const struct house_config *config = &house->config;
    double times = conn->person->role == STORAGE_ROLE_PLAYER ? 1 : STAFF_TIMES;
    return (struct bucket_rule){
        .burst = times * config->limits_audit_burst,
        .per_second = times * config->limits_audit_per_h / 3600.0,
    };
}

static void pace_forget(struct house *house, struct pace *pace)
{
    index_remove(&paces_of(house)->by_who, pace->who, strlen(pace->who));
    free(pace);
}

static struct pace *pace_of(struct house *house, const char *who)
{
    struct pace *pace = index_find(&paces_of(house)->by_who, who, strlen(who));
    if (pace != NULL) {
        return pace;
    }
    struct index_at at;
    if (index_count(&paces_of(house)->by_who) >= PACES_MAX) {
        pace_forget(house, index_first(&paces_of(house)->by_who, &at));
    }
    pace = memory_new(sizeof(*pace));
    (void)snprintf(pace->who, sizeof(pace->who), "%s", who);
    index_add(&paces_of(house)->by_who, pace->who, strlen(pace->who), pace);
    return pace;
}

/* Seconds until another row may be written, 0: now. */
static int64_t pace_wait_s(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return 0; /* the owner's program */
    }
    pace_who(house, conn, who);
    const struct pace *pace = index_find(&paces_of(house)->by_who, who, strlen(who));
    const struct bucket_rule rule = pace_rule(house, conn);
    struct bucket trial = {0};
    if (pace != NULL) {
        trial = pace->bucket;
    }
    if (bucket_take(&trial, &rule, 1, house->now_ms)) {
        return 0;
    }
    return (int64_t)ceil((trial.used + 1 - rule.burst) / rule.per_second);
}

bool audit_pace_has_room(struct house *house, const struct conn *conn)
{
    return pace_wait_s(house, conn) == 0;
}

bool audit_pace_admits(const struct request *request)
{
    int64_t wait_s = pace_wait_s(request->house, request->conn);
    if (wait_s == 0) {
        return true;
    }
    answer_wait_say(request, wait_s,
                    _("The house writes down who does that, and you have done it often: try again "
                      "in %d s."),
                    (int)wait_s);
    return false;
}

void audit_pace_count(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return;
    }
    pace_who(house, conn, who);
    const struct bucket_rule rule = pace_rule(house, conn);
    (void)bucket_take(&pace_of(house, who)->bucket, &rule, 1, house->now_ms);
}

static void audit_paces_clear(struct house *house)
{
    struct pace *pace = NULL;
    struct index_at at;
    INDEX_EACH(&paces_of(house)->by_who, pace, at)
    {
        pace_forget(house, pace);
    }
}

const struct need need_audit = {.holds = audit_pace_admits};

/* What staff do is always logged. */
static bool audit_pace_admit(const struct request *request, const struct message_def *message)
{
    return message->role == STORAGE_ROLE_PLAYER || audit_pace_admits(request);
}

const struct part audit_pace_part = {
    .name = "audit-pace",
    .house_size = sizeof(struct paces),
    .end = audit_paces_clear,
    .admit = audit_pace_admit,
};
