#include "lobby/mod/mod.h"

#include "lobby/house/words.h"
#include "lobby/sanctions/sanctions.h"

#include <string.h>

bool mod_rank_suffices(struct order *order, enum rank rank)
{
    if (order->rank < rank) {
        order_refuse(order, "role",
                     rank == RANK_MOD ? _("Only moderators may do that: ask one of them.")
                                      : _("Only admins may do that: ask one of them."));
    }
    return order->rank >= rank;
}

bool mod_require_rank(struct order *order, enum rank rank)
{
    const struct request request = order_get_request(order);
    if (!mod_rank_suffices(order, rank)) {
        return false;
    }
    if (order->rank == RANK_OWNER || order->words->rank >= RANK_MOD) {
        return true; /* the person has confirmed their identity before the command ran */
    }
    order->is_refused = !step_up_is_confirmed(&request);
    return !order->is_refused;
}

bool mod_may_act_on_target(struct order *order)
{
    const struct order_target *target = &order->target;
    enum rank rank = rank_of_role(target->account.role);
    if (target->kind != TARGET_USER && target->kind != TARGET_GUEST) {
        return true;
    }
    if (strcmp(target->name, order_requester_name(order)) == 0) {
        order_refuse(order, "self", _("That is you: you cannot do that to yourself."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     target->name);
    }
    return order->code == NULL;
}
