#include "lobby/sanctions/sanctions.h"

#include "lobby/house/conns.h"
#include "lobby/house/memory.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/appeals.h"
#include "lobby/sanctions/barring.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/sanction_order.h"
#include "lobby/sanctions/sources.h"
#include "storage/mod/audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanctions as orders make, lift and change them. */

static void target_put(const struct order *order, struct storage_sanction *sanction)
{
    const struct order_target *target = &order->target;
    switch (target->kind) {
    case TARGET_USER:
        sanction->account = target->id;
        (void)snprintf(sanction->name, sizeof(sanction->name), "%s", target->name);
        break;
    case TARGET_GUEST:
        (void)snprintf(sanction->name, sizeof(sanction->name), "%s", target->name);
        break;
    case TARGET_ADDRESS:
        (void)snprintf(sanction->address, sizeof(sanction->address), "%s", target->name);
        break;
    case TARGET_KEY:
        (void)snprintf(sanction->fingerprint, sizeof(sanction->fingerprint), "%s", target->name);
        break;
    case TARGET_NONE:
    case TARGET_TABLE:
    case TARGET_GAME:
    case TARGET_CHAT:
    case TARGET_ANYBODY:
        break;
    }
}

/* Tells everybody whom the sanction now applies to, under any of their names. */
static void tell_met(struct house *house, const struct storage_sanction *sanction,
                     const struct sources *sources)
{
    struct person *person = NULL;
    struct index_at next;
    struct conn *conn = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        if (!sanction_is_own(sanction, person) &&
            !sources_follow(house, sources, sanction, person)) {
            continue;
        }
        sanctions_read(house, person);
        CONN_LINKS_EACH(conn, &person->conns)
        {
            sanctions_tell(house, conn);
        }
    }
}

int64_t sanction_begin(struct order *order, enum storage_sanction_kind kind, uint32_t scopes)
{
    struct house *house = order->house;
    struct sources sources = {.count = 0};
    struct storage_sanction sanction = {
        .kind = kind,
        .scopes = scopes,
        .by_role = (uint8_t)order->rank,
        .since_ms = house->now_ms,
        .until_ms =
            order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD,
    };
    target_put(order, &sanction);
    (void)snprintf(sanction.reason, sizeof(sanction.reason), "%s", order->reason);
    (void)snprintf(sanction.note, sizeof(sanction.note), "%s", order->note);
    (void)snprintf(sanction.by_name, sizeof(sanction.by_name), "%s", order_actor(order));
    stored_or_fail(house, storage_audit_next(house->storage, &sanction.audit));
    stored_or_fail(house, storage_sanction_add(house->storage, &sanction, &sanction.id));
    sanctions_end_at(house, sanction.until_ms);
    order->expires_ms = order->duration_ms > 0 ? sanction.until_ms : 0;
    order->after = sanction_json(&sanction, true);
    if (order->target.kind == TARGET_GUEST || sanctions_follow_kind(kind)) {
        sources_of_target(house, &order->target, &sources);
        sources_keep(house, sanction.id, &sources);
    }
    tell_met(house, &sanction, &sources);
    barring_changed(house);
    return sanction.id;
}

#define LIFTED_MAX 64 /* of one target and kind */

struct lifting {
    struct order *order;
    enum storage_sanction_kind kind;
    bool is_followed; /* the sanctions read follow the target from another name */
    struct storage_sanction found[LIFTED_MAX];
    size_t count;
    char other[STORAGE_NAME_SIZE]; /* the account whose sanction follows the target; "" */
};

static bool is_of_target(const struct order_target *target, const struct storage_sanction *sanction)
{
    switch (target->kind) {
    case TARGET_USER:
        return sanction->account == target->id;
    case TARGET_GUEST:
        return sanction->account == 0 && strcmp(sanction->name, target->name) == 0;
    case TARGET_ADDRESS:
        return strcmp(sanction->address, target->name) == 0;
    case TARGET_KEY:
        return strcmp(sanction->fingerprint, target->name) == 0;
    case TARGET_NONE:
    case TARGET_TABLE:
    case TARGET_GAME:
    case TARGET_CHAT:
    case TARGET_ANYBODY:
        break;
    }
    return false;
}

static bool is_found(const struct lifting *lifting, int64_t id)
{
    for (size_t i = 0; i < lifting->count; i++) {
        if (lifting->found[i].id == id) {
            return true;
        }
    }
    return false;
}

/* True when the sanction is the target's own. For a guest this includes what follows them from
 * another guest's name, since the target is the person behind the names; the sanction of an account
 * remains the account's. */
static bool is_theirs(struct lifting *lifting, const struct storage_sanction *sanction)
{
    const struct order_target *target = &lifting->order->target;
    if (is_of_target(target, sanction)) {
        return true;
    }
    if (!lifting->is_followed) {
        return false;
    }
    if (target->kind == TARGET_GUEST && sanction->account == 0) {
        return true;
    }
    (void)snprintf(lifting->other, sizeof(lifting->other), "%s", sanction->name);
    return false;
}

static bool lift_one(void *context, const struct storage_sanction *sanction)
{
    struct lifting *lifting = context;
    struct order *order = lifting->order;
    if (sanction->kind != lifting->kind || is_found(lifting, sanction->id) ||
        !is_theirs(lifting, sanction)) {
        return true;
    }
    if (!decision_may_change(order, sanction->by_role, sanction->by_name)) {
        return false;
    }
    lifting->found[lifting->count++] = *sanction;
    return lifting->count < LIFTED_MAX;
}

static void lift_find(struct lifting *lifting)
{
    struct order *order = lifting->order;
    struct storage *storage = order->house->storage;
    struct sources sources;
    stored_or_fail(order->house,
                   storage_sanctions_in_force(storage, 1U << lifting->kind, lift_one, lifting));
    sources_of_target(order->house, &order->target, &sources);
    lifting->is_followed = true;
    for (size_t i = 0; i < sources.count && lifting->count < LIFTED_MAX; i++) {
        stored_or_fail(order->house,
                       storage_sanctions_at_source(storage, sources.at[i], lift_one, lifting));
    }
}

static void lift_refuse(const struct lifting *lifting)
{
    struct order *order = lifting->order;
    if (lifting->other[0] != '\0') {
        order_no(order, "unknown",
                 _("Nothing of that kind is in force against %s, but against %s, who comes from "
                   "the same address or with the same key: lift that."),
                 order->target.name, lifting->other);
    } else {
        order_no(order, "unknown", _("Nothing of that kind is in force against %s."),
                 order->target.name);
    }
}

/* Ends the sanction and tells those it applied to. */
static void end_told(struct order *order, const struct storage_sanction *sanction)
{
    sanction_over(order->house, sanction, order_actor(order),
                  say(_("%p has lifted what was in force against you."), order_by(order)));
}

void sanction_end(struct order *order, const struct storage_sanction *sanction)
{
    order->reverses = sanction->audit;
    end_told(order, sanction);
}

bool sanction_lift(struct order *order, enum storage_sanction_kind kind)
{
    struct lifting *lifting = memory_new(sizeof(*lifting));
    lifting->order = order;
    lifting->kind = kind;
    lift_find(lifting);
    size_t count = order->code == NULL ? lifting->count : 0;
    if (count == 0) {
        lift_refuse(lifting);
    }
    if (count > 0) {
        order->before = sanction_json(&lifting->found[0], true);
        order->reverses = lifting->found[0].audit;
    }
    for (size_t i = 0; i < count; i++) {
        appeal_is_over(order->house, &lifting->found[i], order_actor(order),
                       order->reason[0] == '\0' ? _("It is lifted.") : order->reason);
        end_told(order, &lifting->found[i]);
    }
    free(lifting);
    return count > 0;
}
