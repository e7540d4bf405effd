#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "storage/accounts/accounts.h"

static void end_earlier_holds_of_account(struct order *order, int64_t account)
{
    struct house *house = order->house;
    struct sanction_list holds = {.kinds = 1U << STORAGE_SANCTION_HOLD};
    stored_or_fail(house, storage_sanctions_list_on_person(house->storage, account, "",
                                                           sanction_list_add, &holds));
    for (size_t i = 0; i < holds.count; i++) {
        sanction_end_and_notify(house, &holds.rows[i], order_requester_name(order), NULL);
    }
}

bool hold_put_account_on_hold(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    char account[DECISION_ACCOUNT_SIZE];
    decision_write_account_name(order->target.id, account);
    if (order->target.account.is_held &&
        !decision_may_be_changed(order, STORAGE_DECISION_HOLD, account)) {
        return false;
    }
    decision_store(order, STORAGE_DECISION_HOLD, account);
    /* the new sanction replaces those of an earlier hold */
    end_earlier_holds_of_account(order, order->target.id);
    stored_or_fail(house, storage_account_set_pending(house->storage, order->target.id, true));
    if (person != NULL) {
        person->is_held = true;
        person_mark_changed(house, person);
    }
    return true;
}

static bool append_name_of_account(void *context, const struct storage_sign_in *row)
{
    (void)json_object_set_new(context, row->name, json_true());
    return true;
}

void hold_add_lines_of_others(struct order *order)
{
    const struct order_target *target = &order->target;
    struct storage *storage = order->house->storage;
    struct storage_account other;
    const char *name = NULL;
    json_t *unused = NULL;
    json_t *names = json_object();
    stored_or_fail(
        order->house,
        target->kind == TARGET_USER
            ? storage_sign_ins_sharing_source(storage, target->id, append_name_of_account, names)
            : storage_sign_ins_by_source(storage, target->guest.address, target->guest.fingerprint,
                                         append_name_of_account, names));
    json_object_foreach(names, name, unused)
    {
        if (stored(order->house, storage_account_by_name(storage, name, &other)) && other.is_held) {
            order_add_line(order,
                           _("%s, who shares an address or a key with %s, is still held: /release "
                             "%s"),
                           name, target->name, name);
        }
    }
    json_decref(names);
}

bool hold_release_account(struct order *order, const struct storage_account *account)
{
    struct house *house = order->house;
    struct person *person = person_find(house, account->name);
    char name[DECISION_ACCOUNT_SIZE];
    decision_write_account_name(account->id, name);
    if (!account->is_held) {
        order_refuse(order, "unknown", _("%s is not held."), account->name);
        return false;
    }
    if (!decision_may_be_changed(order, STORAGE_DECISION_HOLD, name)) {
        return false;
    }
    decision_remove(house, STORAGE_DECISION_HOLD, name);
    end_earlier_holds_of_account(order, account->id);
    stored_or_fail(house, storage_account_set_pending(house->storage, account->id, false));
    if (person != NULL && person->is_held) {
        person->is_held = false;
        person_mark_changed(house, person);
        person_send_notice(
            house, person, "info",
            say(_("Your account is released: you can chat and are on the leaderboards.")));
    }
    journal_write(house, order->conn, "release",
                  JOURNAL_PAIRS("account", account->name, "by", order_requester_name(order)));
    order_add_line(order, _("%s is released: they can chat and are on the leaderboards."),
                   account->name);
    return true;
}
