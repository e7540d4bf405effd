#include "lobby/sanctions/hold.h"

#include "lobby/house/journal.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/staff.h"

#define HOLDS_MAX 8 /* sanctions of one account that record a hold */

struct holds {
    struct storage_sanction found[HOLDS_MAX];
    size_t count;
};

static bool collect_hold(void *context, const struct storage_sanction *sanction)
{
    struct holds *holds = context;
    if (sanction->kind == STORAGE_SANCTION_HOLD) {
        holds->found[holds->count++] = *sanction;
    }
    return holds->count < HOLDS_MAX;
}

static void end_hold_sanctions(struct order *order, int64_t account)
{
    struct house *house = order->house;
    struct holds holds = {.count = 0};
    stored_or_fail(house,
                   storage_sanctions_on_person(house->storage, account, "", collect_hold, &holds));
    for (size_t i = 0; i < holds.count; i++) {
        sanction_end_and_tell(house, &holds.found[i], order_requester_name(order), NULL);
    }
}

bool hold_account(struct order *order)
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
    end_hold_sanctions(order, order->target.id); /* the new hold replaces them */
    stored_or_fail(house, storage_account_set_pending(house->storage, order->target.id, true));
    if (person != NULL) {
        person->is_held = true;
        person_mark_changed(house, person);
    }
    return true;
}

/* Tells the released person on every connection they have. */
static void notify_released_person(struct house *house, struct person *person)
{
    person->is_held = false;
    person_mark_changed(house, person);
    person_send_notice(
        house, person, "info",
        say(_("Your account is released: you can chat and are on the leaderboards.")));
}

static void release_account(struct house *house, const struct conn *by,
                            const struct storage_account *account)
{
    struct person *person = person_find(house, account->name);
    stored_or_fail(house, storage_account_set_pending(house->storage, account->id, false));
    if (person != NULL && person->is_held) {
        notify_released_person(house, person);
    }
    journal_write(house, by, "release",
                  JOURNAL_PAIRS("account", account->name, "by", staff_name_of_conn(by)));
}

bool hold_release_account(struct order *order, const struct storage_account *account)
{
    char name[DECISION_ACCOUNT_SIZE];
    decision_write_account_name(account->id, name);
    if (!decision_may_be_changed(order, STORAGE_DECISION_HOLD, name)) {
        return false;
    }
    decision_remove(order->house, STORAGE_DECISION_HOLD, name);
    end_hold_sanctions(order, account->id);
    release_account(order->house, order->conn, account);
    return true;
}
