#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"

#include <stdio.h>

#define GUESTS_KEPT_MS INT64_C(86400000)

bool guests_are_admitted(const struct request *request)
{
    if (!policy_has_value(request->house, POLICY_GUESTS, "no")) {
        return true;
    }
    answer_no(request, "closed",
              _("This house takes no guests at present: sign in, or make an account."));
    return false;
}

static void guests_fill_row(const struct house *house, const struct conn *conn,
                            struct storage_guest *guest)
{
    *guest = (struct storage_guest){.seen_ms = house->now_ms};
    (void)snprintf(guest->name, sizeof(guest->name), "%s", conn->person->name);
    (void)snprintf(guest->address, sizeof(guest->address), "%s", conn->address);
    (void)snprintf(guest->fingerprint, sizeof(guest->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(guest->transport, sizeof(guest->transport), "%s", conn->transport);
    net_format_household_network(conn->address, guest->net);
}

/* Stores that the guest of this connection is in the house now. Guests are forgotten a day after
 * they have left. Nothing is stored while the disk is full. */
static void guests_record_visit(struct house *house, struct conn *conn)
{
    struct storage_guest guest;
    if (house->is_read_only || conn->person->kind != PERSON_GUEST) {
        return;
    }
    guests_fill_row(house, conn, &guest);
    stored_or_fail(house,
                   storage_guest_save(house->storage, &guest, house->now_ms - GUESTS_KEPT_MS));
}

void guests_forget_old(struct house *house)
{
    stored_or_fail(house,
                   storage_guests_delete_before(house->storage, house->now_ms - GUESTS_KEPT_MS));
}

bool guests_find(struct house *house, const char *name, struct storage_guest *guest)
{
    const struct person *person = person_find(house, name);
    if (person != NULL && person->kind == PERSON_GUEST && !TAILQ_EMPTY(&person->conns)) {
        guests_fill_row(house, TAILQ_FIRST(&person->conns)->conn, guest);
        return true;
    }
    return person == NULL && stored(house, storage_guest_read(house->storage, name, guest));
}

static void guests_add_policy_to_welcome(struct house *house, UNUSED const struct conn *conn,
                                         json_t *message)
{
    (void)json_object_set_new(message, "guests", json_string(policy_value(house, POLICY_GUESTS)));
}

/* Stores the guest's address when they leave, while the person still exists in memory. */
static void guests_record_departure(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_record_visit(house, conn);
    }
}

const struct part guests_part = {
    .name = "guests",
    .describe = guests_add_policy_to_welcome,
    .conn_gone = guests_record_departure,
};

const struct person_listener guests_person_listener = {
    .enter = guests_record_visit,
};
