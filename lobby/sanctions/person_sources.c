#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"

#include <stdio.h>
#include <string.h>

/* An address counts as one of the person's for this long after its last use. */
#define SIGN_INS_MS (14 * DAY_MS)
#define FOLLOWING_MAX 32 /* the most sanctions that can apply to one connection */

static bool sources_contain(const struct sources *sources, const char *source)
{
    for (size_t i = 0; i < sources->count; i++) {
        if (strcmp(sources->at[i], source) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a source to the list. Also used as a callback of the storage; `context` is the list. */
static bool sources_add(void *context, const char *source)
{
    struct sources *sources = context;
    if (source[0] != '\0' && sources->count < STORAGE_SOURCES_MAX &&
        !sources_contain(sources, source)) {
        size_t len = strnlen(source, STORAGE_SOURCE_SIZE - 1);
        char *at = sources->at[sources->count++];
        memcpy(at, source, len);
        at[len] = '\0';
    }
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
    sources_add(sources, net);
    sources_add(sources, key);
}

/* Adds the account's keys. They come first, since a key belongs to nobody else. */
static void sources_add_keys_of_account(struct house *house, int64_t account,
                                        struct sources *sources)
{
    struct storage_key keys[STORAGE_SOURCES_MAX / 2];
    size_t count = 0;
    stored_or_fail(house, storage_key_list(house->storage, account, keys, ARRAY_LEN(keys), &count));
    for (size_t i = 0; i < count; i++) {
        sources_add(sources, keys[i].fingerprint);
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
    struct sanction_list list = {.kinds = STORAGE_SANCTION_ALL};
    sources_add_address_and_key(sources, target->guest.address, target->guest.fingerprint);
    /* a guest who left long ago is known only by the sources of sanctions in force */
    stored_or_fail(house, storage_sanctions_list_on_person(house->storage, 0, target->name,
                                                           sanction_list_add, &list));
    if (list.count > 0) {
        stored_or_fail(house,
                       storage_sanction_sources_each(house->storage, list.rows[list.count - 1].id,
                                                     sources_add, sources));
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

void person_sources_read_of_account(struct house *house, const struct storage_account *account,
                                    struct sources *sources)
{
    struct order_target target = {
        .kind = TARGET_USER,
        .id = account->id,
        .person = person_find(house, account->name),
    };
    person_sources_read_of_target(house, &target, sources);
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

void person_sources_read_of_sanction(struct house *house, int64_t sanction, struct sources *sources)
{
    sources->count = 0;
    stored_or_fail(house,
                   storage_sanction_sources_each(house->storage, sanction, sources_add, sources));
}

bool person_sources_have(const struct sources *sources, const char *address, const char *key)
{
    char net[STORAGE_ADDRESS_SIZE];
    net_format_household_network(address, net);
    return sources_contain(sources, net) || sources_contain(sources, key);
}

void person_sources_store(struct house *house, int64_t sanction, const struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        stored_or_fail(house,
                       storage_sanction_source_add(house->storage, sanction, sources->at[i]));
    }
}

void person_sources_store_of_conn(struct house *house, int64_t sanction, const struct conn *conn,
                                  bool has_entered)
{
    struct sources kept;
    if (house->is_read_only) {
        return;
    }
    person_sources_read_of_sanction(house, sanction, &kept);
    size_t known = kept.count;
    sources_add_address_and_key(&kept, has_entered ? conn->address : "", conn->key_fingerprint);
    for (size_t i = known; i < kept.count; i++) {
        stored_or_fail(house, storage_sanction_source_add(house->storage, sanction, kept.at[i]));
    }
}

bool person_sources_match_person(struct house *house, const struct sources *sources,
                                 const struct storage_sanction *sanction,
                                 const struct person *person)
{
    char net[STORAGE_ADDRESS_SIZE];
    bool is_young = person->account == 0 || person->created_ms > sanction->since_ms;
    if (person->role != STORAGE_ROLE_PLAYER || sources->count == 0) {
        return false;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        net_format_household_network(conn->address, net);
        bool is_met = (is_young && sources_contain(sources, net)) ||
                      sources_contain(sources, conn->key_fingerprint);
        if (is_met && !allowlist_has_conn(house, conn)) {
            return true;
        }
    }
    return false;
}

/* The sanctions against other names of a person that apply to the person too, each listed once. */
struct found_sanctions {
    int64_t account,
        created_ms;   /* the account and when it was created; both 0 for a guest or a new user */
    const char *name; /* the guest's name; "" for anybody else */
    bool is_by_key;
    int64_t ids[FOLLOWING_MAX];
    size_t count;
};

static bool collect_sanction_of_source(void *context, const struct storage_sanction *sanction)
{
    struct found_sanctions *found_sanctions = context;
    bool is_own = sanction->account == found_sanctions->account &&
                  (sanction->account != 0 || strcmp(sanction->name, found_sanctions->name) == 0);
    bool is_young =
        found_sanctions->account == 0 || found_sanctions->created_ms > sanction->since_ms;
    for (size_t i = 0; i < found_sanctions->count; i++) {
        is_own = is_own || found_sanctions->ids[i] == sanction->id;
    }
    if (!is_own && (is_young || found_sanctions->is_by_key)) {
        found_sanctions->ids[found_sanctions->count++] = sanction->id;
    }
    return found_sanctions->count < FOLLOWING_MAX;
}

static void collect_sanctions_of_source(struct house *house,
                                        struct found_sanctions *found_sanctions, const char *source,
                                        bool is_key)
{
    found_sanctions->is_by_key = is_key;
    if (source[0] != '\0' && found_sanctions->count < FOLLOWING_MAX) {
        stored_or_fail(house, storage_sanctions_list_by_source(house->storage, source,
                                                               collect_sanction_of_source,
                                                               found_sanctions));
    }
}

static void collect_sanctions_of_conn(struct house *house, struct found_sanctions *found_sanctions,
                                      const struct conn *conn)
{
    char net[STORAGE_ADDRESS_SIZE];
    if (!allowlist_has_conn(house, conn)) {
        net_format_household_network(conn->address, net);
        collect_sanctions_of_source(house, found_sanctions, net, false);
        collect_sanctions_of_source(house, found_sanctions, conn->key_fingerprint, true);
    }
}

static void call_row_for_each_sanction(struct house *house,
                                       const struct found_sanctions *found_sanctions,
                                       storage_sanction_row *row, void *context)
{
    struct storage_sanction sanction;
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < found_sanctions->count; i++) {
        goes_on = !stored(house, storage_sanction_read(house->storage, found_sanctions->ids[i],
                                                       &sanction)) ||
                  row(context, &sanction);
    }
}

void person_sources_each_sanction_of_person(struct house *house, const struct person *person,
                                            storage_sanction_row *row, void *context)
{
    struct found_sanctions found_sanctions = {
        .account = person->account,
        .created_ms = person->created_ms,
        .name = person->name,
    };
    if (person->role != STORAGE_ROLE_PLAYER) {
        return;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        collect_sanctions_of_conn(house, &found_sanctions, conn);
    }
    call_row_for_each_sanction(house, &found_sanctions, row, context);
}

void person_sources_each_sanction_of_conn(struct house *house, const struct conn *conn,
                                          const struct storage_account *account,
                                          storage_sanction_row *row, void *context)
{
    struct found_sanctions found_sanctions = {
        .account = account == NULL ? 0 : account->id,
        .created_ms = account == NULL ? 0 : account->created_ms,
        .name = "",
    };
    if (account == NULL || account->role == STORAGE_ROLE_PLAYER) {
        collect_sanctions_of_conn(house, &found_sanctions, conn);
        call_row_for_each_sanction(house, &found_sanctions, row, context);
    }
}
