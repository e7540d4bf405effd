#include "lobby/mod/sanctions.h"

#include "lobby/conns.h"
#include "lobby/mod/appeals.h"
#include "lobby/mod/barring.h"
#include "lobby/mod/decisions.h"
#include "lobby/persons.h"
#include "lobby/stored.h"
#include "storage/audit.h"

#include <stdio.h>
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

static void tell_target(struct order *order)
{
    struct person *person = order->target.person;
    struct conn *conn = NULL;
    if (person == NULL) {
        return;
    }
    sanctions_read(order->house, person);
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        sanctions_tell(order->house, conn);
    }
}

int64_t sanction_begin(struct order *order, enum storage_sanction_kind kind, uint32_t scopes)
{
    struct house *house = order->house;
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
    if (sanction.until_ms < house->sanction_due_ms) {
        house->sanction_due_ms = sanction.until_ms;
    }
    order->expires_ms = order->duration_ms > 0 ? sanction.until_ms : 0;
    order->after = sanction_json(&sanction, true);
    tell_target(order);
    barring_changed(house);
    return sanction.id;
}

struct lifting {
    struct order *order;
    enum storage_sanction_kind kind;
    size_t count;
    struct storage_sanction first;
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

static bool lift_one(void *context, const struct storage_sanction *sanction)
{
    struct lifting *lifting = context;
    struct order *order = lifting->order;
    if (!is_of_target(&order->target, sanction)) {
        return true;
    }
    if (!decision_may_change(order, sanction->by_role, sanction->by_name)) {
        return false;
    }
    if (lifting->count++ == 0) {
        lifting->first = *sanction;
    }
    return true;
}

static void end_now(struct order *order, const struct storage_sanction *sanction)
{
    struct house *house = order->house;
    stored_or_fail(house, storage_sanction_end(house->storage, sanction->id, house->now_ms,
                                               order_actor(order)));
    appeal_is_over(house, sanction, order_actor(order),
                   order->reason[0] == '\0' ? _("It is lifted.") : order->reason);
}

static void tell_lifted(struct order *order, struct person *person)
{
    char words[WORDS_MAX];
    const struct conn *conn = NULL;
    if (person == NULL) {
        return;
    }
    sanctions_read(order->house, person);
    (void)snprintf(words, sizeof(words), _("%s has lifted what was in force against you."),
                   order_actor(order));
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_notice(order->house, conn, "info", words);
    }
}

void sanction_end(struct order *order, const struct storage_sanction *sanction)
{
    struct house *house = order->house;
    struct storage_account account;
    const char *name = sanction->name;
    stored_or_fail(house, storage_sanction_end(house->storage, sanction->id, house->now_ms,
                                               order_actor(order)));
    order->reverses = sanction->audit;
    barring_changed(house);
    if (sanction->account != 0 &&
        stored(house, storage_account_by_id(house->storage, sanction->account, &account))) {
        name = account.name;
    }
    tell_lifted(order, person_find(house, name));
}

static bool end_one(void *context, const struct storage_sanction *sanction)
{
    const struct lifting *lifting = context;
    if (is_of_target(&lifting->order->target, sanction)) {
        end_now(lifting->order, sanction);
    }
    return true;
}

bool sanction_lift(struct order *order, enum storage_sanction_kind kind)
{
    struct house *house = order->house;
    struct lifting lifting = {.order = order, .kind = kind};
    stored_or_fail(house,
                   storage_sanctions_in_force(house->storage, 1U << kind, lift_one, &lifting));
    if (order->code != NULL) {
        return false;
    }
    if (lifting.count == 0) {
        order_no(order, "unknown", _("Nothing of that kind is in force against %s."),
                 order->target.name);
        return false;
    }
    order->before = sanction_json(&lifting.first, true);
    order->reverses = lifting.first.audit;
    barring_changed(house);
    stored_or_fail(house,
                   storage_sanctions_in_force(house->storage, 1U << kind, end_one, &lifting));
    tell_lifted(order, order->target.person);
    return true;
}
