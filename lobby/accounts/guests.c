#include "lobby/accounts/guests.h"

#include "lobby/house/answers.h"
#include "lobby/house/journal.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/listeners.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/net.h"
#include "lobby/sanctions/staff.h"
#include "lobby/sanctions/voice.h"
#include "storage/house/meta.h"

#include <stdio.h>
#include <string.h>

#define GUESTS_KEPT_MS INT64_C(86400000)

struct guests {
    enum guests_may may;
};

static struct guests *guests_of(const struct house *house)
{
    return PART_STATE(house, guests);
}

/* Names of values kept with the data. */
static const char guests_now[] = "guests";
static const char guests_configured[] = "guests_configured";

static const char *const guests_states[] = {
    [GUESTS_HEARD] = "yes",
    [GUESTS_PLAY_ONLY] = "play-only",
    [GUESTS_NONE] = "no",
};

static bool guests_read(const char *state, enum guests_may *may)
{
    for (size_t i = 0; state != NULL && i < ARRAY_LEN(guests_states); i++) {
        if (strcmp(guests_states[i], state) == 0) {
            *may = (enum guests_may)i;
            return true;
        }
    }
    return false;
}

/* True when the configured value has not changed since it was last applied. */
static bool guests_are_configured(struct house *house)
{
    char value[STORAGE_META_SIZE];
    return stored(house, storage_meta_get(house->storage, guests_configured, value)) &&
           strcmp(value, house->config.house_guests) == 0;
}

/* Applies the configured value if it has changed since it was last applied; otherwise what an admin
 * has set since stays. */
static void guests_begin(struct house *house)
{
    char value[STORAGE_META_SIZE];
    const char *wanted = house->config.house_guests;
    if (!house->is_read_only && !guests_are_configured(house)) {
        stored_or_fail(house, storage_meta_set(house->storage, guests_configured, wanted));
        stored_or_fail(house, storage_meta_set(house->storage, guests_now, wanted));
    }
    if (!stored(house, storage_meta_get(house->storage, guests_now, value)) ||
        !guests_read(value, &guests_of(house)->may)) {
        guests_of(house)->may = GUESTS_HEARD;
    }
    voice_of_guests(house, guests_of(house)->may == GUESTS_HEARD);
}

enum guests_may guests_may(const struct house *house)
{
    return guests_of(house)->may;
}

const char *guests_state(const struct house *house)
{
    return guests_states[guests_of(house)->may];
}

/* Refreshes the guests' rows, which show whether guests may talk. */
static void guests_changed(struct house *house)
{
    struct person *person = NULL;
    struct index_at next;
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        if (person->kind == PERSON_GUEST) {
            person_changed(house, person);
        }
    }
}

bool guests_set(struct house *house, const struct conn *by, const char *state)
{
    const char *was = guests_state(house);
    if (!guests_read(state, &guests_of(house)->may)) {
        return false;
    }
    voice_of_guests(house, guests_of(house)->may == GUESTS_HEARD);
    stored_or_fail(house, storage_meta_set(house->storage, guests_now, state));
    journal_write(house, by, "guests",
                  JOURNAL_PAIRS("state", state, "was", was, "by", staff_name(by)));
    guests_changed(house);
    return true;
}

bool guests_admit(const struct request *request)
{
    if (guests_of(request->house)->may != GUESTS_NONE) {
        return true;
    }
    answer_no(request, "closed",
              _("This house takes no guests at present: sign in, or make an account."));
    return false;
}

static void guest_write(const struct house *house, const struct conn *conn,
                        struct storage_guest *guest)
{
    *guest = (struct storage_guest){.seen_ms = house->now_ms};
    (void)snprintf(guest->name, sizeof(guest->name), "%s", conn->person->name);
    (void)snprintf(guest->address, sizeof(guest->address), "%s", conn->address);
    (void)snprintf(guest->fingerprint, sizeof(guest->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(guest->transport, sizeof(guest->transport), "%s", conn->transport);
    net_of_household(conn->address, guest->net);
}

/* Records that the guest of this connection is here, or was until now. Guests are forgotten a day
 * after they left. Does nothing while the disk is full. */
static void guests_note(struct house *house, struct conn *conn)
{
    struct storage_guest guest;
    if (house->is_read_only || conn->person->kind != PERSON_GUEST) {
        return;
    }
    guest_write(house, conn, &guest);
    stored_or_fail(house,
                   storage_guest_save(house->storage, &guest, house->now_ms - GUESTS_KEPT_MS));
}

bool guests_find(struct house *house, const char *name, struct storage_guest *guest)
{
    const struct person *person = person_find(house, name);
    if (person != NULL && person->kind == PERSON_GUEST && !TAILQ_EMPTY(&person->conns)) {
        guest_write(house, TAILQ_FIRST(&person->conns)->conn, guest);
        return true;
    }
    return person == NULL && stored(house, storage_guest_read(house->storage, name, guest));
}

static void guests_describe(struct house *house, UNUSED const struct conn *conn, json_t *message)
{
    (void)json_object_set_new(message, "guests", json_string(guests_state(house)));
}

/* Records where a guest connects from, while the person is known. */
static void guests_conn_gone(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_note(house, conn);
    }
}

const struct part guests_part = {
    .name = "guests",
    .house_size = sizeof(struct guests),
    .load = guests_begin,
    .describe = guests_describe,
    .conn_gone = guests_conn_gone,
};

const struct person_listener guests_person_listener = {
    .enter = guests_note,
};
