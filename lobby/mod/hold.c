#include "lobby/mod/hold.h"

#include "lobby/held.h"
#include "lobby/mod/decisions.h"

bool hold_end(struct order *order, const struct storage_account *account)
{
    char name[DECISION_ACCOUNT_SIZE];
    decision_account(account->id, name);
    if (!decision_is_theirs(order, STORAGE_DECISION_HOLD, name)) {
        return false;
    }
    decision_drop(order->house, STORAGE_DECISION_HOLD, name);
    held_release(order->house, order->conn, account);
    return true;
}
