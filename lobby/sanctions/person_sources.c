#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"

#include <stdio.h>
#include <string.h>

/* An address counts as one of the person's for this long after its last use. */
#define SIGN_INS_MS (14 * DAY_MS)

static bool sources_contain(const struct sources *sources, const char *source)
{
    for (size_t i = 0; sources != NULL && i < sources->count; i++) {
        if (strcmp(sources->at[i], source) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a source to the list; false when the list has it already, or is full. */
static bool sources_add(struct sources *sources, const char *source)
{
    if (source[0] == '\0' || sources->count == STORAGE_SOURCES_MAX ||
        sources_contain(sources, source)) {
        return false;
    }
    size_t len = strnlen(source, STORAGE_SOURCE_SIZE - 1);
    char *at = sources->at[sources->count++];
    memcpy(at, source, len);
    at[len] = '\0';
    return true;
}

struct source_search {
    const char *source;
    bool is_found;
};

static bool compare_source(void *context, const struct storage_sign_in *row)
{
    struct source_search *search = context;
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(row->address, source);
    search->is_found = strcmp(source, search->source) == 0;
    return !search->is_found;
}

bool person_sources_include(struct house *house, int64_t account, const char *source)
{
    struct source_search search = {.source = source};
    stored_or_fail(house,
                   storage_sign_ins_by_account(house->storage, account, compare_source, &search));
    return search.is_found;
}

static void sources_add_address_and_key(struct sources *sources, const char *address,
                                        const char *key)
{
    char net[STORAGE_ADDRESS_SIZE];
    net_format_household_network(address, net);
    (void)sources_add(sources, net);
    (void)sources_add(sources, key);
}

/* Adds the account's keys. They come first, since a key belongs to nobody else. */
static void sources_add_keys_of_account(struct house *house, int64_t account,
                                        struct sources *sources)
{
    struct storage_key keys[STORAGE_SOURCES_MAX / 2];
    size_t count = 0;
    stored_or_fail(house, storage_key_list(house->storage, account, keys, ARRAY_LEN(keys), &count));
    for (size_t i = 0; i < count; i++) {
        (void)sources_add(sources, keys[i].fingerprint);
    }
}

struct sign_ins {
    struct sources *sources;
    int64_t since_ms;
};

static bool sources_add_from_sign_in(void *context, const struct storage_sign_in *sign_in)
{
    struct sign_ins *sign_ins = context;
    if (sign_in->last_ms < sign_ins->since_ms) {
        return false; /* sign-ins come newest first, so all further ones are older still */
    }
    sources_add_address_and_key(sign_ins->sources, sign_in->address, sign_in->fingerprint);
    return true;
}

static void sources_add_from_guest(struct house *house, const struct order_target *target,
                                   struct sources *sources)
{
    const struct sources *known = NULL;
    sources_add_address_and_key(sources, target->guest.address, target->guest.fingerprint);
    /* a guest who left long ago is known only by the sources of sanctions in force */
    SANCTIONS_EACH(sanction, house) {
        known = sanction_names(&sanction->row, 0, target->name) ? sanction->sources : known;
    }
    for (size_t i = 0; known != NULL && i < known->count; i++) {
        (void)sources_add(sources, known->at[i]);
    }
}

void person_sources_read_of_target(struct house *house, const struct order_target *target,
                                   struct sources *sources)
{
    struct sign_ins sign_ins = {sources, house->now_ms - SIGN_INS_MS};
    sources->count = 0;
    if (target->kind == TARGET_USER) {
        sources_add_keys_of_account(house, target->id, sources);
    } else if (target->kind == TARGET_GUEST) {
        sources_add_from_guest(house, target, sources);
    } else {
        return;
    }
    if (target->person != NULL) {
        LINKED_CONNS_EACH(conn, &target->person->conns) {
            sources_add_address_and_key(sources, conn->address, conn->key_fingerprint);
        }
    }
    if (target->kind == TARGET_USER) {
        stored_or_fail(house, storage_sign_ins_by_account(house->storage, target->id,
                                                          sources_add_from_sign_in, &sign_ins));
    }
}

bool person_sources_share_any(struct house *house, const struct sources *a, const struct sources *b)
{
    for (size_t i = 0; i < a->count; i++) {
        char address[STORAGE_SOURCE_SIZE];
        (void)snprintf(address, sizeof(address), "%.*s", (int)strcspn(a->at[i], "/"), a->at[i]);
        if (sources_contain(b, a->at[i]) && !source_is_local(a->at[i]) &&
            !allowlist_has_address(house, address)) {
            return true;
        }
    }
    return false;
}

bool person_sources_have(const struct sources *sources, const char *address, const char *key)
{
    char net[STORAGE_ADDRESS_SIZE];
    net_format_household_network(address, net);
    return sources_contain(sources, net) || sources_contain(sources, key);
}

bool person_sources_overlap(const struct sources *a, const struct sources *b)
{
    for (size_t i = 0; b != NULL && i < b->count; i++) {
        if (sources_contain(a, b->at[i])) {
            return true;
        }
    }
    return false;
}

bool person_sources_keep(struct sanction *sanction, const char *source)
{
    if (sanction->sources == NULL) {
        sanction->sources = memory_new(sizeof(*sanction->sources));
    }
    return sources_add(sanction->sources, source);
}

void person_sources_store(struct house *house, struct sanction *sanction,
                          const struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        if (person_sources_keep(sanction, sources->at[i])) {
            stored_or_fail(house, storage_sanction_source_add(house->storage, sanction->row.id,
                                                              sources->at[i]));
        }
    }
}

void person_sources_store_of_conn(struct house *house, struct sanction *sanction,
                                  const struct conn *conn, bool has_entered)
{
    struct sources added = {.count = 0};
    sources_add_address_and_key(&added, has_entered ? conn->address : "", conn->key_fingerprint);
    if (!house->is_read_only) {
        person_sources_store(house, sanction, &added);
    }
}

/* Whether who uses this connection is met by one of the sources: by address only if they are young,
 * that is if they are a guest or their account is younger than the sanction. */
static bool sources_meet_conn(struct house *house, const struct sources *sources, bool is_young,
                              const struct conn *conn)
{
    return person_sources_have(sources, is_young ? conn->address : "", conn->key_fingerprint) &&
           !allowlist_has_conn(house, conn);
}

bool person_sources_match_person(struct house *house, const struct sources *sources,
                                 const struct storage_sanction *sanction,
                                 const struct person *person)
{
    bool is_young = person->account == 0 || person->created_ms > sanction->since_ms;
    if (person->role != STORAGE_ROLE_PLAYER || sources == NULL) {
        return false;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (sources_meet_conn(house, sources, is_young, conn)) {
            return true;
        }
    }
    return false;
}

bool person_sources_match_conn(struct house *house, const struct sanction *sanction,
                               const struct conn *conn, const struct storage_account *account)
{
    bool is_young = account == NULL || account->created_ms > sanction->row.since_ms;
    return (account == NULL ||
            (account->role == STORAGE_ROLE_PLAYER && account->id != sanction->row.account)) &&
           sources_meet_conn(house, sanction->sources, is_young, conn);
}

void person_sources_each_sanction_of_person(struct house *house, const struct person *person,
                                            storage_sanction_row *row, void *context)
{
    SANCTIONS_EACH(sanction, house) {
        if (!sanction_is_against_person(&sanction->row, person) &&
            person_sources_match_person(house, sanction->sources, &sanction->row, person) &&
            !row(context, &sanction->row)) {
            return;
        }
    }
}
