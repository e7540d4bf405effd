#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Adds a source to the sanction in memory; false when it has this source already, or too many. */
static bool person_sources_keep(struct sanction *sanction, const char *source)
{
    if (sanction->sources == NULL) {
        sanction->sources = memory_new(sizeof(*sanction->sources));
    }
    return sources_add(sanction->sources, source);
}

/* Adds the sources to the sanction, and stores those that are new. */
static void person_sources_store(struct house *house, struct sanction *sanction,
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

/* True when the sanction names this person's account or guest name; false when it names somebody
 * else, even if it applies to this person too. */
static bool sanction_is_against_person(const struct storage_sanction *sanction,
                                       const struct person *person)
{
    return sanction_names(sanction, person->account, person->name);
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

static const char *const scope_names[MUTE_SCOPES] = {"lobby", "table", "pm"};

const char *sanction_target_text(const struct storage_sanction *sanction)
{
    return sanction->name[0] != '\0'      ? sanction->name
           : sanction->address[0] != '\0' ? sanction->address
                                          : sanction->fingerprint;
}

static const char *const kind_names[] = {STORED_WORDS(STORED_SANCTION_KINDS)};

static const char *const kind_words[] = {
    [STORAGE_SANCTION_WARN] = N_("warned"),
    [STORAGE_SANCTION_MUTE] = N_("muted"),
    [STORAGE_SANCTION_SUSPEND] = N_("suspended from sitting down"),
    [STORAGE_SANCTION_BAN] = N_("banned"),
    [STORAGE_SANCTION_RANKBAN] = N_("kept from rated games"),
    [STORAGE_SANCTION_HOLD] = N_("held (you play, but cannot talk and are not listed)"),
};
static_assert(ARRAY_LEN(kind_words) == STORED_LAST(STORED_SANCTION_KINDS) + 1,
              "every kind of sanction needs its words");

/* Makes an argument of %p (say.h) from the scopes of a mute, such as "lobby". */
static void *make_scopes_sentence_argument(uint32_t scopes)
{
    char names[64];
    struct text text = text_init(names, sizeof(names));
    for (int scope = 0; scope < MUTE_SCOPES; scope++) {
        if ((scopes >> scope & 1) != 0) {
            text_put(&text, text.len == 0 ? "" : ", ");
            text_put(&text, scope_names[scope]);
        }
    }
    return say_word_argument(scopes == SANCTION_SCOPES_ALL ? _("everywhere") : names);
}

json_t *sanction_to_sentence(const struct storage_sanction *sanction)
{
    void *by = say_word_argument(sanction->by_name);
    if (sanction->kind == STORAGE_SANCTION_WARN) {
        return say(_("warned by %p: %.300s"), by, sanction->reason);
    }
    if (sanction->kind == STORAGE_SANCTION_MUTE) {
        return say(_("muted (%p) %p, by %p: %.200s"),
                   make_scopes_sentence_argument(sanction->scopes),
                   say_until_argument(sanction->until_ms), by, sanction->reason);
    }
    return say(_("%p %p, by %p: %.200s"), say_word_argument(kind_words[sanction->kind]),
               say_until_argument(sanction->until_ms), by, sanction->reason);
}

json_t *sanction_to_json(const struct storage_sanction *sanction, bool is_for_staff)
{
    json_t *row = json_pack(
        "{s:I,s:s,s:s,s:s,s:s,s:i,s:s,s:s,s:I,s:o,s:I,s:s}", "id", (json_int_t)sanction->id, "kind",
        kind_names[sanction->kind], "name", sanction->name, "address", sanction->address, "key",
        sanction->fingerprint, "scopes", (int)sanction->scopes, "reason", sanction->reason, "by",
        sanction->by_name, "at", (json_int_t)sanction->since_ms, "until",
        sanction->until_ms == STORAGE_SANCTION_FOR_GOOD ? json_null()
                                                        : json_integer(sanction->until_ms),
        "ended", (json_int_t)sanction->ended_ms, "appeal", sanction->appeal);
    if (is_for_staff) {
        (void)json_object_set_new(row, "note", json_string(sanction->note));
    }
    return row;
}

static struct sanction *keep_sanction(struct house *house, const struct storage_sanction *row)
{
    struct sanction *sanction = memory_new(sizeof(*sanction));
    sanction->row = *row;
    index_add(&sanctions_house_state(house)->in_force, &sanction->row.id, sizeof(sanction->row.id),
              sanction);
    return sanction;
}

static void remove_sanction(struct house *house, const struct sanction *sanction)
{
    index_remove(&sanctions_house_state(house)->in_force, &sanction->row.id,
                 sizeof(sanction->row.id));
}

static void free_sanction(struct sanction *sanction)
{
    free(sanction->sources);
    free(sanction);
}

static bool load_sanction(void *context, const struct storage_sanction *row)
{
    (void)keep_sanction(context, row);
    return true;
}

static bool load_source(void *context, int64_t sanction, const char *source)
{
    struct sanction *its = sanction_find(context, sanction);
    if (its != NULL) {
        (void)person_sources_keep(its, source);
    }
    return true;
}

/* Another part may ask while the house is being read, before this part is. */
const struct index *sanctions_in_force(struct house *house)
{
    struct sanctions_house_state *state = sanctions_house_state(house);
    if (!state->are_loaded) {
        state->are_loaded = true;
        stored_or_fail(house,
                       storage_sanctions_list_in_force(house->storage, load_sanction, house));
        stored_or_fail(house, storage_sanction_sources_each(house->storage, load_source, house));
    }
    return &state->in_force;
}

static void clear_sanctions_in_force(struct house *house)
{
    INDEX_ITEMS_EACH(struct sanction, sanction, &sanctions_house_state(house)->in_force) {
        remove_sanction(house, sanction);
        free_sanction(sanction);
    }
    sanctions_house_state(house)->are_loaded = false;
}

void sanctions_read_again(struct house *house)
{
    clear_sanctions_in_force(house);
    gate_bans_mark_changed(house);
}

struct sanction *sanction_find(struct house *house, int64_t id)
{
    return index_find(sanctions_in_force(house), &id, sizeof(id));
}

static struct sanction *find_next_to_end(struct house *house)
{
    struct sanction *next = NULL;
    SANCTIONS_EACH(sanction, house) {
        if (next == NULL || sanction->row.until_ms < next->row.until_ms) {
            next = sanction;
        }
    }
    return next;
}

static void schedule_next_end(struct house *house)
{
    const struct sanction *next = find_next_to_end(house);
    sanctions_house_state(house)->next_end_ms =
        next == NULL ? STORAGE_SANCTION_FOR_GOOD : next->row.until_ms;
}

void sanction_save(struct house *house, const struct sanction *sanction)
{
    stored_or_fail(house, storage_sanction_edit(house->storage, &sanction->row));
    schedule_next_end(house);
}

struct sanction *sanction_add(struct house *house, const struct storage_sanction *row,
                              const struct sources *sources)
{
    struct storage_sanction added = *row;
    (void)sanctions_in_force(house);
    stored_or_fail(house, storage_sanction_add(house->storage, &added, &added.id));
    struct sanction *sanction = keep_sanction(house, &added);
    person_sources_store(house, sanction, sources);
    schedule_next_end(house);
    return sanction;
}

bool sanction_names(const struct storage_sanction *sanction, int64_t account, const char *name)
{
    return sanction->account == account &&
           (account != 0 || (name[0] != '\0' && strcmp(sanction->name, name) == 0));
}

bool sanction_applies_to_person(struct house *house, const struct sanction *sanction,
                                const struct person *person)
{
    return sanction_is_against_person(&sanction->row, person) ||
           person_sources_match_person(house, sanction->sources, &sanction->row, person);
}

void sanctions_for_each(struct house *house, const struct person *person, storage_sanction_row *row,
                        void *context)
{
    SANCTIONS_EACH(sanction, house) {
        if (sanction_is_against_person(&sanction->row, person) && !row(context, &sanction->row)) {
            return;
        }
    }
    person_sources_each_sanction_of_person(house, person, row, context);
}

/* Adds a sanction to the record of what a person is barred from. A hold counts here only for
 * guests: an account itself stores that it is held. */
static bool apply_sanction(void *context, const struct storage_sanction *sanction)
{
    struct person *person = context;
    struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    int64_t *until_ms = NULL;
    if (sanction->kind == STORAGE_SANCTION_WARN) {
        sanctioned->is_warned = true;
    } else if (sanction->kind == STORAGE_SANCTION_HOLD) {
        sanctioned->is_held = person->kind == PERSON_GUEST;
    } else if (sanction->kind == STORAGE_SANCTION_SUSPEND) {
        until_ms = &sanctioned->suspend_ms;
    } else if (sanction->kind == STORAGE_SANCTION_RANKBAN) {
        until_ms = &sanctioned->rankban_ms;
    }
    if (until_ms != NULL && *until_ms < sanction->until_ms) {
        *until_ms = sanction->until_ms;
    }
    for (int scope = 0; sanction->kind == STORAGE_SANCTION_MUTE && scope < MUTE_SCOPES; scope++) {
        int64_t *mute_ms = &sanctioned->mute_ms[scope];
        if ((sanction->scopes >> scope & 1) != 0 && *mute_ms < sanction->until_ms) {
            *mute_ms = sanction->until_ms;
        }
    }
    return true;
}

void sanctions_load(struct house *house, struct person *person)
{
    sanctions_person_state(person)->by_staff = (struct sanctioned){0};
    if (person_is_in_house(person)) {
        person_mark_changed(house, person); /* the lobby shows sanctions in the person's row */
    }
    sanctions_for_each(house, person, apply_sanction, person);
}

struct telling {
    struct house *house;
    struct conn *conn;
};

static bool notify_of_sanction(void *context, const struct storage_sanction *sanction)
{
    struct telling *telling = context;
    bool is_warning = sanction->kind == STORAGE_SANCTION_WARN;
    const char *then =
        is_warning ? _("Type /sanctions ok when you have read this.") : SANCTION_APPEAL_HINT;
    void *what = say_sentence_argument(sanction_to_sentence(sanction));
    conn_send_notice(telling->house, telling->conn, "warn",
                     sanction_is_against_person(sanction, telling->conn->person)
                         ? say(_("You are %p · %p"), what, say_word_argument(then))
                         : say(_("You are %p · %p %p"), what,
                               say_word_argument(SANCTION_SHARED_SOURCE_HINT),
                               say_word_argument(then)));
    return true;
}

void sanctions_notify_conn(struct house *house, struct conn *conn)
{
    struct telling telling = {house, conn};
    sanctions_for_each(house, conn->person, notify_of_sanction, &telling);
}

bool need_may_sit(struct request *request)
{
    if (sanctions_person_state(request->conn->person)->by_staff.suspend_ms <=
        request->house->now_ms) {
        return true;
    }
    return answer_no(
        request, "suspended",
        _("You may watch, but not sit down %p: /sanctions says why, /appeal asks to have "
          "it lifted."),
        say_until_argument(sanctions_person_state(request->conn->person)->by_staff.suspend_ms));
}

bool sanctions_forbid_rating(struct house *house, int64_t account, const struct person *person)
{
    if (person != NULL) {
        return sanctions_person_state(person)->by_staff.rankban_ms > house->now_ms;
    }
    SANCTIONS_EACH(sanction, house) {
        if (sanction->row.kind == STORAGE_SANCTION_RANKBAN &&
            sanction_names(&sanction->row, account, "")) {
            return true;
        }
    }
    return false;
}

void sanction_end_and_notify(struct house *house, struct sanction *sanction, const char *ended_by,
                             json_t *sentence)
{
    stored_or_fail(house,
                   storage_sanction_end(house->storage, sanction->row.id, house->now_ms, ended_by));
    remove_sanction(house, sanction);
    schedule_next_end(house);
    gate_bans_mark_changed(house);
    PERSONS_EACH(person, house) {
        if (!sanction_applies_to_person(house, sanction, person)) {
            continue;
        }
        sanctions_load(house, person);
        if (sentence != NULL) {
            person_send_notice(house, person, "info", json_incref(sentence));
        }
    }
    json_decref(sentence);
    free_sanction(sanction);
}

/* Ends expired sanctions, tells the people concerned and writes the audit rows. */
static void end_expired_sanctions(struct house *house)
{
    static const char nobody[] = N_("the house");
    struct sanction *next = NULL;
    while (house->now_ms >= sanctions_house_state(house)->next_end_ms &&
           (next = find_next_to_end(house)) != NULL) {
        const struct storage_sanction sanction = next->row;
        struct storage_audit row = {
            .verb = "expire",
            .arguments = kind_names[sanction.kind],
            .target_type = sanction.account != 0 ? "user" : "",
            .target_id = sanction.account,
            .target_name = sanction_target_text(&sanction),
            .expires_ms = sanction.until_ms,
            .reason = sanction.reason,
        };
        sanction_end_and_notify(
            house, next, nobody,
            say(_("You are no longer %p."), say_word_argument(kind_words[sanction.kind])));
        audit_write_house_action(house, &row);
        appeal_close_for_ended_sanction(house, &sanction, nobody, _("The sanction has ended."));
    }
}

static int64_t sanctions_next_expiry_ms(const struct house *house)
{
    return sanctions_house_state(house)->next_end_ms;
}

/* A new connection may come from a network or key to which a sanction applies. */
static void load_sanctions_on_entry(struct house *house, struct conn *conn)
{
    sanctions_load(house, conn->person);
}

const struct person_listener sanctions_person_listener = {
    .person_size = sizeof(struct sanctions_person_state),
    .enter = load_sanctions_on_entry,
};

bool decision_requester_may_overrule(struct order *order, uint8_t decider_role,
                                     const char *decider_name)
{
    if (decider_role > (uint8_t)order->rank) {
        order_refuse(order, "role",
                     _("That was decided by %s, who has a higher role than you: ask them."),
                     decider_name);
    }
    return order->code == NULL;
}

bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct storage_decision decision;
    struct house *house = order->house;
    if (!stored(house, storage_decision_read(house->storage, kind, name, &decision))) {
        return true;
    }
    return decision_requester_may_overrule(order, decision.by_role, decision.by_name);
}

void decision_store(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct house *house = order->house;
    struct storage_decision decision = {
        .kind = kind,
        .by_role = (uint8_t)order->rank,
        .at_ms = house->now_ms,
    };
    (void)snprintf(decision.name, sizeof(decision.name), "%s", name);
    (void)snprintf(decision.by_name, sizeof(decision.by_name), "%s", order_requester_name(order));
    stored_or_fail(house, storage_decision_set(house->storage, &decision));
}

void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name)
{
    stored_or_fail(house, storage_decision_delete(house->storage, kind, name));
}

void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE])
{
    (void)snprintf(name, DECISION_ACCOUNT_SIZE, "%" PRId64, account);
}

/* Whether the person may talk. When they may not, a request (NULL: none) is answered. */
static bool check_voice(const struct house *house, const struct person *person,
                        enum mute_scope scope, const struct request *request)
{
    const struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    const int64_t pause_ms = sanctions_person_state(person)->paused_ms - house->now_ms;
    if (person->is_held || sanctioned->is_held) {
        return request != NULL &&
               answer_no(request, "held",
                         _("That was not sent: you are held, and cannot talk until a moderator "
                           "releases you. You can play meanwhile."));
    }
    if (person->kind == PERSON_GUEST && !sanctions_house_state(house)->guests_may_talk) {
        return request != NULL &&
               answer_no(request, "guest",
                         _("That was not sent: guests may play here, but only accounts may talk. "
                           "Make one; it takes a minute."));
    }
    if (sanctioned->is_warned) {
        return request != NULL &&
               answer_no(request, "warned",
                         _("You have been warned: /sanctions shows why; type /sanctions ok, then "
                           "talk."));
    }
    if (sanctioned->mute_ms[scope] > house->now_ms) {
        return request != NULL &&
               answer_no(request, "muted",
                         _("You are muted here %p: /sanctions says why, /appeal asks to have it "
                           "lifted."),
                         say_until_argument(sanctioned->mute_ms[scope]));
    }
    if (pause_ms > 0) { /* the person wrote too much too quickly */
        const int64_t wait_s = (pause_ms + 999) / 1000;
        return request != NULL &&
               answer_retry_later(request, wait_s,
                                  _("You wrote too much too quickly: you can write again in %d s."),
                                  (int)wait_s);
    }
    return true;
}

bool voice_person_may_talk(const struct house *house, const struct person *person,
                           enum mute_scope scope)
{
    return check_voice(house, person, scope, NULL);
}

bool voice_allows_request(const struct request *request, enum mute_scope scope)
{
    return check_voice(request->house, request->conn->person, scope, request);
}

bool voice_allows_order(struct order *order, enum mute_scope scope)
{
    const struct request request = order_get_request(order);
    order->is_refused = order->conn->person != NULL && !voice_allows_request(&request, scope);
    return !order->is_refused;
}

bool disabled_allows_request(const struct request *request, const char *name)
{
    if (request->conn->person == NULL || request->conn->person->role != STORAGE_ROLE_PLAYER ||
        json_object_get(sanctions_house_state(request->house)->disabled, name) == NULL) {
        return true;
    }
    return answer_no(request, "off", _("%s is switched off for now: try again another day."), name);
}

bool disabled_allows_new_game(const struct request *request, const char *game)
{
    if (!sanctions_house_state(request->house)->is_draining) {
        return disabled_allows_request(request, game);
    }
    return answer_no(request, "draining",
                     _("No new games begin now: the house is about to close for a while."));
}

void sanctions_set_rule(struct house *house, enum storage_rule kind, const char *name, bool is_set)
{
    json_t *names = kind == STORAGE_RULE_OFF ? sanctions_house_state(house)->disabled
                                             : sanctions_house_state(house)->allowed;
    stored_or_fail(house, storage_rule_set(house->storage, kind, name, is_set));
    if (is_set) {
        (void)json_object_set_new(names, name, json_true());
    } else {
        (void)json_object_del(names, name);
    }
}

static bool load_rule(void *context, const char *name, UNUSED int64_t value)
{
    return json_object_set_new(context, name, json_true()) == 0;
}

static json_t *load_rules(struct house *house, enum storage_rule kind)
{
    json_t *names = json_object();
    stored_or_fail(house, storage_rules_each(house->storage, kind, load_rule, names));
    return names;
}

bool need_enabled(struct request *request)
{
    return disabled_allows_request(request, json_string_value(json_object_get(request->body, "t")));
}

static void read_sanctions_ahead(struct house *house, const struct storage_connection *row)
{
    blocks_read_ahead(house, row);
    case_answers_read_ahead(house, row);
}

static void load_sanctions(struct house *house)
{
    struct sanctions_house_state *state = sanctions_house_state(house);
    schedule_next_end(house);
    state->disabled = load_rules(house, STORAGE_RULE_OFF);
    state->allowed = load_rules(house, STORAGE_RULE_ALLOWED);
}

static void clear_sanctions(struct house *house)
{
    struct sanctions_house_state *state = sanctions_house_state(house);
    clear_sanctions_in_force(house);
    json_decref(state->disabled);
    json_decref(state->allowed);
    state->disabled = state->allowed = NULL;
}

static void free_sanctions(struct house *house)
{
    audit_limits_clear(house);
    backoff_clear_unsaved_waits(house);
}

const struct part sanctions_part = {
    .name = "sanctions",
    .house_size = sizeof(struct sanctions_house_state),
    .conn_size = sizeof(struct sanctions_conn_state),
    .load = load_sanctions,
    .clear = clear_sanctions,
    .end = free_sanctions,
    .tick = end_expired_sanctions,
    .next_ms = sanctions_next_expiry_ms,
    .hello = staff_end_telnet_conn, /* an account may have become staff while no core was running */
    .read_ahead = read_sanctions_ahead,
    .save = backoff_save_all_waits,
    .saved = backoff_clear_unsaved_waits,
};
