#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"

#include <inttypes.h>
#include <stdio.h>

bool decision_requester_may_overrule(struct order *order, uint8_t decider_role,
                                     const char *decider_name)
{
    if (decider_role > (uint8_t)order->rank) {
        order_refuse(order, "role",
                     _("That was decided by %s, who has a higher role than you: ask them."),
                     decider_name);
    }
    return order->code == NULL;
}

bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct storage_decision decision;
    struct house *house = order->house;
    if (!stored(house, storage_decision_read(house->storage, kind, name, &decision))) {
        return true;
    }
    return decision_requester_may_overrule(order, decision.by_role, decision.by_name);
}

void decision_store(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct house *house = order->house;
    struct storage_decision decision = {
        .kind = kind,
        .by_role = (uint8_t)order->rank,
        .at_ms = house->now_ms,
    };
    (void)snprintf(decision.name, sizeof(decision.name), "%s", name);
    (void)snprintf(decision.by_name, sizeof(decision.by_name), "%s", order_requester_name(order));
    stored_or_fail(house, storage_decision_set(house->storage, &decision));
}

void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name)
{
    stored_or_fail(house, storage_decision_delete(house->storage, kind, name));
}

void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE])
{
    (void)snprintf(name, DECISION_ACCOUNT_SIZE, "%" PRId64, account);
}
