#include "lobby/sanctions/sanctions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static bool person_sources_match_person(struct house *house, const struct sources *sources,
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

/* Calls `row` once for each sanction in force that is against another name of a person in the house
 * but applies to the person too. */
static void person_sources_each_sanction_of_person(struct house *house, const struct person *person,
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

/* Calls `row` once for each sanction that applies to a person in the house: the sanctions against
 * their name, and then those against their other names that apply to them too. `row` returns false
 * to stop. */
static void sanctions_for_each(struct house *house, const struct person *person,
                               storage_sanction_row *row, void *context)
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

#define ANSWERS_TOLD 20 /* the most answers sent at one sign-in; the others follow at the next */

/* The sentence about a closed case for its author: "Your report 7 about eve is closed, by max:
 * …". */
static json_t *case_answer_sentence(const struct storage_report *report)
{
    const long long id = (long long)report->id;
    bool is_granted = report->state == STORAGE_REPORT_RESOLVED;
    void *by = say_word_argument(report->staff_name);
    /* an answer that the house wrote itself can be translated */
    void *answer = say_word_argument(report->answer);
    if (strcmp(report->category, STORAGE_REPORT_APPEAL) != 0) {
        return say(_("Your report %lld about %s is closed, by %p: %p"), id, report->about_name, by,
                   answer);
    }
    return say(is_granted ? _("Your appeal %lld is granted, by %p: %p")
                          : _("Your appeal %lld is refused, by %p: %p"),
               id, by, answer);
}

/* Finds the author of the case if they are in the house, otherwise NULL. A guest is found by the
 * name they had. */
static const struct person *find_present_author(struct house *house,
                                                const struct storage_report *report)
{
    struct storage_account account;
    const char *name = report->by_name;
    if (report->by_account != 0 &&
        stored(house, storage_account_by_id(house->storage, report->by_account, &account))) {
        name = account.name;
    }
    const struct person *person = person_find(house, name);
    return person != NULL && person->account == report->by_account && person_is_in_house(person)
               ? person
               : NULL;
}

void case_answer_store_and_send(struct house *house, struct storage_report *report)
{
    const struct person *person = find_present_author(house, report);
    if (person != NULL) {
        report->read_ms = house->now_ms;
        LINKED_CONNS_EACH(conn, &person->conns) {
            conn_send_notice(house, conn, "info", case_answer_sentence(report));
        }
    }
    stored_or_fail(house, storage_report_save(house->storage, report));
}

struct unread {
    struct storage_report rows[ANSWERS_TOLD];
    size_t count;
};

static bool append_unread_report(void *context, const struct storage_report *report)
{
    struct unread *unread = context;
    unread->rows[unread->count++] = *report;
    return unread->count < ANSWERS_TOLD;
}

void case_answers_send_unread(struct house *house, struct conn *conn)
{
    struct unread unread = {.count = 0};
    if (conn->person->account == 0 || house->is_read_only) {
        return; /* an answer that cannot be marked as read now is sent again later */
    }
    stored_or_fail(house,
                   storage_reports_each(house->storage, STORAGE_REPORTS_UNREAD,
                                        conn->person->account, append_unread_report, &unread));
    for (size_t i = 0; i < unread.count; i++) {
        struct storage_report *report = &unread.rows[i];
        conn_send_notice(house, conn, "info", case_answer_sentence(report));
        report->read_ms = house->now_ms;
        stored_or_fail(house, storage_report_save(house->storage, report));
    }
}

static void case_answers_read_ahead(struct house *house, const struct storage_connection *row)
{
    if (row->account != 0) {
        stored_ahead(house, storage_reports_each(house->storage, STORAGE_REPORTS_UNREAD,
                                                 row->account, append_unread_report, NULL));
    }
}

struct appeal {
    const struct storage_sanction
        *against;     /* the sanction that is appealed against; NULL: the account's hold */
    int64_t account;  /* the author's account; 0: none */
    const char *name; /* the author's name, or the banned address or key */
    const char *text;
};

/* Whether this appeal is allowed now. */
static bool appeal_is_allowed(struct house *house, const struct appeal *appeal)
{
    struct storage_report report;
    int64_t sanction = appeal->against == NULL ? 0 : appeal->against->id;
    return !stored(house, storage_appeal_find_newest(house->storage, sanction, appeal->account,
                                                     &report)) ||
           (report.state >= STORAGE_REPORT_RESOLVED &&
            report.at_ms + SANCTION_APPEAL_MS <= house->now_ms);
}

/* Stores the appeal and tells staff. Returns the number of the case. */
static int64_t appeal_submit(struct house *house, const struct appeal *appeal)
{
    struct storage_report report = {
        .by_account = appeal->account,
        .about_account = appeal->account,
        .category = STORAGE_REPORT_APPEAL,
        .at_ms = house->now_ms,
        .sanction = appeal->against == NULL ? 0 : appeal->against->id,
    };
    (void)snprintf(report.by_name, sizeof(report.by_name), "%s", appeal->name);
    (void)snprintf(report.about_name, sizeof(report.about_name), "%s", appeal->name);
    (void)snprintf(report.text, sizeof(report.text), "%s", appeal->text);
    stored_or_fail(house, storage_report_add(house->storage, &report, &report.id));
    struct sanction *against = sanction_find(house, report.sanction);
    if (against != NULL) {
        against->row.appeal_ms = house->now_ms;
        (void)snprintf(against->row.appeal, sizeof(against->row.appeal), "%s", appeal->text);
        sanction_save(house, against);
    }
    staff_notify_of_case(house,
                         say(_("%s (%p) appeals: %s · /reports %lld, /take %lld"), report.by_name,
                             say_sentence_argument(appeal_describe_decision(house, &report)),
                             report.text, (long long)report.id, (long long)report.id));
    return report.id;
}

json_t *appeal_describe_decision(struct house *house, const struct storage_report *appeal)
{
    struct storage_sanction sanction;
    if (appeal->sanction == 0 ||
        !stored(house, storage_sanction_read(house->storage, appeal->sanction, &sanction))) {
        return say(_("held"));
    }
    return sanction_to_sentence(&sanction);
}

static json_t *appeal_status_sentence(struct house *house, int64_t sanction)
{
    struct storage_report report;
    if (!stored(house, storage_appeal_find_newest(house->storage, sanction, 0, &report))) {
        return NULL;
    }
    if (report.state < STORAGE_REPORT_RESOLVED) {
        return say(_("Your appeal %lld waits for its answer."), (long long)report.id);
    }
    return say("%p.", say_sentence_argument(case_answer_sentence(&report)));
}

void appeal_close_for_ended_sanction(struct house *house, const struct storage_sanction *sanction,
                                     const char *by, const char *why)
{
    struct storage_report report;
    if (!stored(house, storage_appeal_find_newest(house->storage, sanction->id, 0, &report)) ||
        report.state >= STORAGE_REPORT_RESOLVED) {
        return;
    }
    report.state = STORAGE_REPORT_RESOLVED;
    report.closed_ms = house->now_ms;
    (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s", by);
    (void)snprintf(report.answer, sizeof(report.answer), "%s", why);
    case_answer_store_and_send(house, &report);
}

/* Ends expired sanctions, tells the people concerned and writes the audit rows. */
static void end_expired_sanctions(struct house *house)
{
    static const char nobody[] = N_("the house");
    struct sanction *next = NULL;
    while (!house->is_read_only && house->now_ms >= sanctions_house_state(house)->next_end_ms &&
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
    return house->is_read_only ? INT64_MAX : sanctions_house_state(house)->next_end_ms;
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

/* The search for the newest sanction against which the requester may appeal now. */
struct appealing {
    struct order *order;
    struct storage_sanction newest;
    size_t count;
    bool has_one;
};

static struct appeal build_appeal(struct order *order, const struct storage_sanction *sanction)
{
    const struct person *person = order->conn->person;
    return (struct appeal){
        .against = sanction,
        .account = person->account,
        .name = person->name,
        .text = order->reason,
    };
}

static bool find_appealable_sanction(void *context, const struct storage_sanction *sanction)
{
    struct appealing *appealing = context;
    struct appeal appeal = build_appeal(appealing->order, sanction);
    if (sanction->kind == STORAGE_SANCTION_HOLD && sanction->account != 0 &&
        sanction->account == appeal.account) {
        return true; /* skip the hold on the account: an appeal that names no sanction is taken as
                        one against the hold */
    }
    appealing->count++;
    if (appeal_is_allowed(appealing->order->house, &appeal)) {
        appealing->newest = *sanction;
        appealing->has_one = true;
    }
    return true;
}

void mod_run_appeal(struct order *order)
{
    struct house *house = order->house;
    const struct person *person = order->conn->person;
    struct appealing appealing = {.order = order};
    struct appeal appeal = {.against = NULL};
    if (person != NULL) {
        sanctions_for_each(house, person, find_appealable_sanction, &appealing);
        appeal = build_appeal(order, appealing.has_one ? &appealing.newest : NULL);
    }
    bool is_held = person != NULL && person->is_held;
    bool is_possible = appealing.has_one || (is_held && appeal_is_allowed(house, &appeal));
    if (!is_possible) {
        bool is_free = appealing.count == 0 && !is_held;
        order_refuse(order, is_free ? "unknown" : "too_many",
                     is_free ? _("No sanction is in force against you.")
                             : _("You have appealed already: wait for the answer, or a day."));
        return;
    }
    order->report = appeal_submit(house, &appeal);
    order->reverses = appealing.has_one ? appealing.newest.audit : 0;
    order->data = json_pack("{s:I}", "report", (json_int_t)order->report);
    order_add_line(order,
                   _("Your appeal has number %lld: you are told the answer, and /reports mine "
                     "lists it."),
                   (long long)order->report);
}

static bool add_requester_sanction_line(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%lld · %p" : _("%lld · over · %p"),
                   (long long)sanction->id, say_sentence_argument(sanction_to_sentence(sanction)));
    (void)json_array_append_new(order->data, sanction_to_json(sanction, false));
    return json_array_size(order->data) < SANCTIONS_SHOWN_MAX;
}

static void acknowledge_warnings(struct order *order)
{
    const struct person *person = order->conn->person;
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == STORAGE_SANCTION_WARN &&
            sanction_applies_to_person(order->house, sanction, person)) {
            sanction_end_and_notify(order->house, sanction, order->by_name, NULL);
        }
    }
    order_add_line(order, _("Thank you for reading that."));
}

void mod_run_sanctions(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->conn->person;
    if (person == NULL) {
        order_refuse(order, "bad", _("No sanction is ever in force against the owner."));
        return;
    }
    if (strcmp(order->word, "ok") == 0) {
        acknowledge_warnings(order);
        return;
    }
    order->data = json_array();
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_sanctions_list_of_account(house->storage, person->account,
                                                         add_requester_sanction_line, order));
        person_sources_each_sanction_of_person(house, person, add_requester_sanction_line, order);
    } else {
        sanctions_for_each(house, person, add_requester_sanction_line, order);
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No sanction is in force against you, nor ever was."));
    } else {
        order_add_line(order, "%s", SANCTION_APPEAL_HINT);
    }
}

/* The search for a ban that refuses somebody at sign-in. */

#define APPEAL_WORD "appeal "

/* In which order bans that may refuse a connection are looked for. */
enum ban_reach {
    BAN_OF_ACCOUNT,
    BAN_OF_KEY,
    BAN_OF_ADDRESS,
    BAN_OF_OTHER_NAME, /* against another name of the same person */
    BAN_REACHES,
};

static bool ban_reaches_conn(struct house *house, const struct sanction *ban, enum ban_reach reach,
                             const struct conn *conn, const struct storage_account *account)
{
    struct net net;
    switch (reach) {
    case BAN_OF_ACCOUNT:
        return account != NULL && sanction_names(&ban->row, account->id, "");
    case BAN_OF_KEY:
        return conn->key_fingerprint[0] != '\0' &&
               strcmp(ban->row.fingerprint, conn->key_fingerprint) == 0;
    case BAN_OF_ADDRESS:
        return net_parse(ban->row.address, &net) && net_contains(&net, conn->address);
    case BAN_OF_OTHER_NAME:
        return person_sources_match_conn(house, ban, conn, account);
    case BAN_REACHES:
        break;
    }
    return false;
}

static struct sanction *find_ban(struct house *house, enum ban_reach reach, const struct conn *conn,
                                 const struct storage_account *account)
{
    SANCTIONS_EACH(ban, house) {
        if (ban->row.kind == STORAGE_SANCTION_BAN &&
            ban_reaches_conn(house, ban, reach, conn, account)) {
            return ban;
        }
    }
    return NULL;
}

/* Finds a ban on the account, the key, the address, or on another name of the same person; NULL
 * when there is none. A ban on another name does not apply to accounts older than the ban, so it is
 * checked only once the person has proved who they are. Staff are refused only by bans of their
 * name. */
static struct sanction *find_ban_of_conn(struct house *house, const struct conn *conn,
                                         const struct storage_account *account,
                                         bool is_identity_proved)
{
    bool is_exempt = (account != NULL && account->role != STORAGE_ROLE_PLAYER) ||
                     allowlist_has_conn(house, conn);
    const enum ban_reach end = is_exempt            ? BAN_OF_ACCOUNT + 1
                               : is_identity_proved ? BAN_REACHES
                                                    : BAN_OF_OTHER_NAME;
    struct sanction *ban = NULL;
    for (enum ban_reach reach = BAN_OF_ACCOUNT; ban == NULL && reach < end; reach++) {
        ban = find_ban(house, reach, conn, account);
    }
    return ban;
}

static json_t *describe_ban(struct house *house, const struct storage_sanction *ban,
                            const struct storage_account *account)
{
    bool is_followed = ban->name[0] != '\0' && (account == NULL || account->id != ban->account);
    json_t *appeal = appeal_status_sentence(house, ban->id);
    json_t *why = say(_("You are %p."), say_sentence_argument(sanction_to_sentence(ban)));
    if (is_followed) {
        why = say("%p %p", say_sentence_argument(why),
                  say_word_argument(SANCTION_SHARED_SOURCE_HINT));
    }
    if (appeal != NULL) {
        why = say("%p %p", say_sentence_argument(why), say_sentence_argument(appeal));
    }
    return say("%p %p", say_sentence_argument(why),
               say_word_argument(_("To appeal, type the word appeal and your reason.")));
}

/* Finds the ban that refuses the connection; NULL when there is none. A ban that has already
 * refused it does so again, so that another name does not avoid the ban. */
static struct sanction *find_any_ban(struct house *house, struct conn *conn,
                                     const struct storage_account *account, bool is_identity_proved)
{
    struct sanction *ban = NULL;
    if (account == NULL || account->role == STORAGE_ROLE_PLAYER) {
        ban = sanction_find(house, sanctions_conn_state(conn)->ban);
        sanctions_conn_state(conn)->ban = ban == NULL ? 0 : ban->row.id;
    }
    if (ban == NULL) {
        ban = find_ban_of_conn(house, conn, account, is_identity_proved);
    }
    if (ban == NULL) {
        return NULL;
    }
    if (account != NULL && account->id == ban->row.account) {
        person_sources_store_of_conn(house, ban, conn, false);
    }
    return ban;
}

bool sign_in_bans_find(struct house *house, struct conn *conn,
                       const struct storage_account *account, json_t **why)
{
    const struct sanction *ban = find_any_ban(house, conn, account, true);
    if (ban == NULL) {
        return false;
    }
    sanctions_conn_state(conn)->ban = ban->row.id;
    *why = describe_ban(house, &ban->row, account);
    return true;
}

#define KNOCKS_BURST 3
/* how soon staff are told again of sign-ins that the same ban refuses */
#define KNOCK_AGAIN_MS INT64_C(600000)

static const struct bucket_rule knocks_rule = {KNOCKS_BURST, 1.0 / 60};

/* True when staff are not to be told now: they were told of this ban lately, or the notices have
 * reached their rate limit. Otherwise records that staff are told now. */
static bool staff_notice_is_too_soon(struct house *house, struct sanction *ban)
{
    struct knocks *knocks = &sanctions_house_state(house)->knocks;
    if (house->now_ms < ban->told_until_ms ||
        !bucket_take_tokens(&knocks->pace, &knocks_rule, 1, house->now_ms)) {
        return true;
    }
    ban->told_until_ms = house->now_ms + KNOCK_AGAIN_MS;
    return false;
}

/* Tells staff that a banned person tries to sign in, once for each connection. `name` is the name
 * of an account; NULL: a guest or a new user. The notices are rate-limited: KNOCKS_BURST at once,
 * then one a minute, and for each ban one in ten minutes. Each notice counts the attempts that were
 * left out before it. */
static void notify_staff_of_attempt(struct house *house, const struct conn *conn,
                                    struct sanction *ban, const char *name)
{
    struct knocks *knocks = &sanctions_house_state(house)->knocks;
    if (staff_notice_is_too_soon(house, ban)) {
        knocks->untold++;
        return;
    }
    json_t *told = say(_("Refused at sign-in: %p, from %s. Ban %lld of %s: %.200s"),
                       say_word_argument(name == NULL ? _("somebody without an account") : name),
                       conn->address, (long long)ban->row.id, sanction_target_text(&ban->row),
                       ban->row.reason);
    if (knocks->untold > 0) {
        told = say_plural("%p (and %u more attempt by people who are banned)",
                          "%p (and %u more attempts by people who are banned)",
                          say_sentence_argument(told), (unsigned)knocks->untold);
        knocks->untold = 0;
    }
    staff_notify(house, STORAGE_ROLE_MOD, told);
}

static bool admit_unless_banned(const struct request *request,
                                const struct storage_account *account, bool is_identity_proved)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *name = account == NULL ? NULL : account->name;
    struct sanction *ban = find_any_ban(house, conn, account, is_identity_proved);
    if (ban == NULL) {
        return true;
    }
    if (sanctions_conn_state(conn)->ban != ban->row.id) {
        sanctions_conn_state(conn)->ban = ban->row.id;
        notify_staff_of_attempt(house, conn, ban, name);
    }
    journal_write_denied_sign_in(house, conn, "door", name, "banned");
    return answer_no_with_sentence(request, "banned", describe_ban(house, &ban->row, account));
}

bool sign_in_bans_allow(const struct request *request, const struct storage_account *account)
{
    return admit_unless_banned(request, account, true);
}

bool sign_in_bans_allow_before_proof(const struct request *request, const char *name)
{
    struct storage_account account;
    bool is_staffs =
        stored(request->house, storage_account_by_name(request->house->storage, name, &account)) &&
        account.role != STORAGE_ROLE_PLAYER;
    return is_staffs || admit_unless_banned(request, NULL, false);
}

static int64_t submit_audited_appeal(struct house *house, const struct conn *conn,
                                     const struct appeal *appeal)
{
    struct storage_audit row = {
        .verb = "appeal",
        .target_name = appeal->name,
        .target_id = appeal->account,
        .reverses = appeal->against->audit,
        .report = appeal_submit(house, appeal),
        .address = conn->address,
    };
    audit_write_house_action(house, &row);
    return row.report;
}

bool sign_in_bans_handle_appeal(const struct request *request, const char *text)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const struct sanction *ban = NULL;
    char clean[TEXT_CLEAN_BYTES_MAX + 1];
    struct appeal appeal = {.text = clean};
    if (sanctions_conn_state(conn)->ban == 0 ||
        strncasecmp(text, APPEAL_WORD, strlen(APPEAL_WORD)) != 0) {
        return false;
    }
    if (house->is_read_only) {
        read_only_refuse(request);
    } else if (text_clean(text + strlen(APPEAL_WORD), clean) != TEXT_CLEAN_OK) {
        answer_no(request, "empty", _("Say in a line why the ban is to be lifted."));
    } else if ((ban = sanction_find(house, sanctions_conn_state(conn)->ban)) == NULL) {
        answer_no(request, "unknown", _("That ban is over: sign in again."));
    } else {
        appeal.against = &ban->row;
        appeal.account = ban->row.account;
        appeal.name = sanction_target_text(&ban->row);
        if (!appeal_is_allowed(house, &appeal)) {
            answer_no(request, "too_many",
                      _("You have appealed already: wait for the answer, or a day."));
            return true;
        }
        answer_no(request, "banned",
                  _("Your appeal is noted, with number %lld. Connect again later to read the "
                    "answer here."),
                  (long long)submit_audited_appeal(house, conn, &appeal));
    }
    return true;
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
    if (house->is_failed) { /* the house ends */
        audit_limits_clear(house);
    }
    if (house->is_failed || !house->is_read_only) { /* nobody needs them, or they are stored */
        backoff_clear_unsaved_waits(house);
    }
}

static void send_bans_to_new_gate(struct house *house, UNUSED struct conn *gate)
{
    gate_bans_mark_changed(house);
}

const struct part sanctions_part = {
    .name = "sanctions",
    .house_size = sizeof(struct sanctions_house_state),
    .conn_size = sizeof(struct sanctions_conn_state),
    .load = load_sanctions,
    .clear = clear_sanctions,
    .works_when_full = true,
    .tick = end_expired_sanctions,
    .flush = gate_bans_send_changed,
    .next_ms = sanctions_next_expiry_ms,
    .hello = staff_end_telnet_conn, /* an account may have become staff while no core was running */
    .read_ahead = read_sanctions_ahead,
    .listens = PEER_GATE,
    .peer_ready = send_bans_to_new_gate,
    .save = backoff_save_all_waits,
};
