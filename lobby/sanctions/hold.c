#include "lobby/sanctions/hold.h"

#include "lobby/house/journal.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/staff.h"

#define HOLDS_MAX 8 /* of one account, as often as it was held */

struct holds {
    struct storage_sanction found[HOLDS_MAX];
    size_t count;
};

static bool hold_find(void *context, const struct storage_sanction *sanction)
{
    struct holds *holds = context;
    if (sanction->kind == STORAGE_SANCTION_HOLD) {
        holds->found[holds->count++] = *sanction;
    }
    return holds->count < HOLDS_MAX;
}

static void hold_end_sanctions(struct order *order, int64_t account)
{
    struct house *house = order->house;
    struct holds holds = {.count = 0};
    stored_or_fail(house,
                   storage_sanctions_on_person(house->storage, account, "", hold_find, &holds));
    for (size_t i = 0; i < holds.count; i++) {
        sanction_over(house, &holds.found[i], order_actor(order), NULL);
    }
}

bool hold_begin(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    char account[DECISION_ACCOUNT_SIZE];
    decision_account(order->target.id, account);
    if (order->target.account.is_held &&
        !decision_is_theirs(order, STORAGE_DECISION_HOLD, account)) {
        return false;
    }
    decision_take(order, STORAGE_DECISION_HOLD, account);
    hold_end_sanctions(order, order->target.id); /* another takes its place */
    stored_or_fail(house, storage_account_set_pending(house->storage, order->target.id, true));
    if (person != NULL) {
        person->is_held = true;
        person_changed(house, person);
    }
    return true;
}

/* Tells the person, on every connection they have. */
static void hold_is_over(struct house *house, struct person *person)
{
    person->is_held = false;
    person_changed(house, person);
    person_notice(house, person, "info",
                  say(_("Your account is released: you can chat and are on the leaderboards.")));
}

static void hold_release(struct house *house, const struct conn *by,
                         const struct storage_account *account)
{
    struct person *person = person_find(house, account->name);
    stored_or_fail(house, storage_account_set_pending(house->storage, account->id, false));
    if (person != NULL && person->is_held) {
        hold_is_over(house, person);
    }
    journal_write(house, by, "release",
                  JOURNAL_PAIRS("account", account->name, "by", staff_name(by)));
}

bool hold_end(struct order *order, const struct storage_account *account)
{
    char name[DECISION_ACCOUNT_SIZE];
    decision_account(account->id, name);
    if (!decision_is_theirs(order, STORAGE_DECISION_HOLD, name)) {
        return false;
    }
    decision_drop(order->house, STORAGE_DECISION_HOLD, name);
    hold_end_sanctions(order, account->id);
    hold_release(order->house, order->conn, account);
    return true;
}
