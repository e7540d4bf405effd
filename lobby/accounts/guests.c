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
    enum guests_policy may;
};

static struct guests *guests_state_of(const struct house *house)
{
    return PART_STATE(house, guests);
}

/* Keys of the stored values. */
static const char guests_policy_key[] = "guests";
static const char guests_configured_key[] = "guests_configured_key";

static const char *const guests_policy_names[] = {
    [GUESTS_HEARD] = "yes",
    [GUESTS_PLAY_ONLY] = "play-only",
    [GUESTS_NONE] = "no",
};

static bool guests_parse_policy(const char *state, enum guests_policy *may)
{
    for (size_t i = 0; state != NULL && i < ARRAY_LEN(guests_policy_names); i++) {
        if (strcmp(guests_policy_names[i], state) == 0) {
            *may = (enum guests_policy)i;
            return true;
        }
    }
    return false;
}

/* True when the configured policy is the one that was applied last. */
static bool guests_config_is_applied(struct house *house)
{
    char value[STORAGE_META_SIZE];
    return stored(house, storage_meta_get(house->storage, guests_configured_key, value)) &&
           strcmp(value, house->config.house_guests) == 0;
}

/* Applies the configured policy if it has changed in the configuration; otherwise what an admin has
 * set since stays. */
static void guests_load_policy(struct house *house)
{
    char value[STORAGE_META_SIZE];
    const char *wanted = house->config.house_guests;
    if (!house->is_read_only && !guests_config_is_applied(house)) {
        stored_or_fail(house, storage_meta_set(house->storage, guests_configured_key, wanted));
        stored_or_fail(house, storage_meta_set(house->storage, guests_policy_key, wanted));
    }
    if (!stored(house, storage_meta_get(house->storage, guests_policy_key, value)) ||
        !guests_parse_policy(value, &guests_state_of(house)->may)) {
        guests_state_of(house)->may = GUESTS_HEARD;
    }
    voice_set_guests_allowed(house, guests_state_of(house)->may == GUESTS_HEARD);
}

enum guests_policy guests_policy(const struct house *house)
{
    return guests_state_of(house)->may;
}

const char *guests_policy_name(const struct house *house)
{
    return guests_policy_names[guests_state_of(house)->may];
}

/* Refreshes the guests' rows, which show whether guests may talk. */
static void guests_refresh_rows(struct house *house)
{
    struct person *person = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (person->kind == PERSON_GUEST) {
            person_mark_changed(house, person);
        }
    }
}

bool guests_set_policy(struct house *house, const struct conn *by, const char *state)
{
    const char *was = guests_policy_name(house);
    if (!guests_parse_policy(state, &guests_state_of(house)->may)) {
        return false;
    }
    voice_set_guests_allowed(house, guests_state_of(house)->may == GUESTS_HEARD);
    stored_or_fail(house, storage_meta_set(house->storage, guests_policy_key, state));
    journal_write(house, by, "guests",
                  JOURNAL_PAIRS("state", state, "was", was, "by", staff_name_of_conn(by)));
    guests_refresh_rows(house);
    return true;
}

bool guests_are_admitted(const struct request *request)
{
    if (guests_state_of(request->house)->may != GUESTS_NONE) {
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
    net_format_household(conn->address, guest->net);
}

/* Stores that the guest of this connection is here, or was until now. Guests are forgotten a day
 * after they have left. Nothing is stored while the disk is full. */
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
    (void)json_object_set_new(message, "guests", json_string(guests_policy_name(house)));
}

/* Stores where a guest connected from, while the person is still known. */
static void guests_record_departure(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_record_visit(house, conn);
    }
}

const struct part guests_part = {
    .name = "guests",
    .house_size = sizeof(struct guests),
    .load = guests_load_policy,
    .describe = guests_add_policy_to_welcome,
    .conn_gone = guests_record_departure,
};

const struct person_listener guests_person_listener = {
    .enter = guests_record_visit,
};
