#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions_state.h"

#include <assert.h>
#include <string.h>

static const char *const scope_names[MUTE_SCOPES] = {"lobby", "table", "pm"};

const char *sanction_appeal_hint(void)
{
    return _("To appeal, write /appeal and why.");
}

const char *sanction_shared_source_hint(void)
{
    return _("The sanction applies to everybody who comes from your address or with your key.");
}

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

bool sanction_is_against_person(const struct storage_sanction *sanction,
                                const struct person *person)
{
    return sanction->account == person->account &&
           (person->account != 0 ||
            (sanction->name[0] != '\0' && strcmp(sanction->name, person->name) == 0));
}

struct visit {
    storage_sanction_row *row;
    void *context;
    bool goes_on;
};

static bool call_row_and_record_stop(void *context, const struct storage_sanction *sanction)
{
    struct visit *visit = context;
    visit->goes_on = visit->row(visit->context, sanction);
    return visit->goes_on;
}

void sanctions_for_each(struct house *house, const struct person *person, storage_sanction_row *row,
                        void *context)
{
    struct visit visit = {row, context, true};
    stored_or_fail(house,
                   storage_sanctions_list_on_person(house->storage, person->account, person->name,
                                                    call_row_and_record_stop, &visit));
    if (visit.goes_on) {
        person_sources_each_sanction_of_person(house, person, row, context);
    }
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

void sanctions_store_conn_sources(struct house *house, const struct conn *conn)
{
    struct sanction_list list = {.kinds = SANCTIONS_THAT_FOLLOW};
    stored_or_fail(house, storage_sanctions_list_on_person(house->storage, conn->person->account,
                                                           "", sanction_list_add, &list));
    for (size_t i = 0; i < list.count; i++) {
        person_sources_store_of_conn(house, list.rows[i].id, conn, true);
    }
}

bool sanctions_user_of_conn_is_held(struct house *house, const struct conn *conn)
{
    struct sanction_list holds = {.kinds = 1U << STORAGE_SANCTION_HOLD};
    person_sources_each_sanction_of_conn(house, conn, NULL, sanction_list_add, &holds);
    return holds.count > 0;
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
        is_warning ? _("Type /sanctions ok when you have read this.") : sanction_appeal_hint();
    void *what = say_sentence_argument(sanction_to_sentence(sanction));
    conn_send_notice(telling->house, telling->conn, "warn",
                     sanction_is_against_person(sanction, telling->conn->person)
                         ? say(_("You are %p · %p"), what, say_word_argument(then))
                         : say(_("You are %p · %p %p"), what,
                               say_word_argument(sanction_shared_source_hint()),
                               say_word_argument(then)));
    return true;
}

void sanctions_notify_conn(struct house *house, struct conn *conn)
{
    struct telling telling = {house, conn};
    sanctions_for_each(house, conn->person, notify_of_sanction, &telling);
}

static bool sanctions_allow_sitting(const struct request *request)
{
    if (sanctions_person_state(request->conn->person)->by_staff.suspend_ms <=
        request->house->now_ms) {
        return true;
    }
    answer_no(
        request, "suspended",
        _("You may watch, but not sit down %p: /sanctions says why, /appeal asks to have "
          "it lifted."),
        say_until_argument(sanctions_person_state(request->conn->person)->by_staff.suspend_ms));
    return false;
}

const struct need need_may_sit = {.holds = sanctions_allow_sitting};

bool sanctions_forbid_rating(struct house *house, int64_t account, const struct person *person)
{
    struct sanction_list bans = {.kinds = 1U << STORAGE_SANCTION_RANKBAN};
    if (person != NULL) {
        return sanctions_person_state(person)->by_staff.rankban_ms > house->now_ms;
    }
    if (account != 0) {
        stored_or_fail(house, storage_sanctions_list_on_person(house->storage, account, "",
                                                               sanction_list_add, &bans));
    }
    return bans.count > 0;
}

/* Returns the stored time at which the next sanction expires; the caller may change it. */
static int64_t *sanctions_next_expiry(const struct house *house)
{
    return PART_STATE(house, sanctions);
}

void sanctions_schedule_end(struct house *house, int64_t until_ms)
{
    int64_t *due_ms = sanctions_next_expiry(house);
    *due_ms = until_ms < *due_ms ? until_ms : *due_ms;
}

void sanctions_schedule_next_end(struct house *house)
{
    stored_or_fail(house,
                   storage_sanctions_read_next_end(house->storage, sanctions_next_expiry(house)));
}

void sanction_end_and_notify(struct house *house, const struct storage_sanction *sanction,
                             const char *ended_by, json_t *sentence)
{
    struct person *person = NULL;
    struct sources sources;
    person_sources_read_of_sanction(house, sanction->id, &sources);
    stored_or_fail(house,
                   storage_sanction_end(house->storage, sanction->id, house->now_ms, ended_by));
    gate_bans_mark_changed(house);
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (!sanction_is_against_person(sanction, person) &&
            !person_sources_match_person(house, &sources, sanction, person)) {
            continue;
        }
        sanctions_load(house, person);
        if (sentence != NULL) {
            person_send_notice(house, person, "info", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* Ends expired sanctions, tells the people concerned and writes the audit rows. */
static void end_expired_sanctions(struct house *house)
{
    static const char nobody[] = N_("the house");
    struct sanction_list expired = {.kinds = STORAGE_SANCTION_ALL};
    if (house->now_ms < *sanctions_next_expiry(house)) {
        return;
    }
    stored_or_fail(house, storage_sanctions_list_due_to_end(house->storage, house->now_ms,
                                                            sanction_list_add, &expired));
    for (size_t i = 0; i < expired.count; i++) {
        const struct storage_sanction *sanction = &expired.rows[i];
        struct storage_audit row = {
            .verb = "expire",
            .arguments = kind_names[sanction->kind],
            .target_type = sanction->account != 0 ? "user" : "",
            .target_id = sanction->account,
            .target_name = sanction_target_text(sanction),
            .expires_ms = sanction->until_ms,
            .reason = sanction->reason,
        };
        sanction_end_and_notify(
            house, sanction, nobody,
            say(_("You are no longer %p."), say_word_argument(kind_words[sanction->kind])));
        audit_write_house_action(house, &row);
        appeal_close_for_ended_sanction(house, sanction, nobody, _("The sanction has ended."));
    }
    sanctions_schedule_next_end(house);
}

static int64_t sanctions_next_expiry_ms(const struct house *house)
{
    return *sanctions_next_expiry(house);
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

static void read_sanctions_ahead(struct house *house, const struct storage_connection *row)
{
    char net[STORAGE_ADDRESS_SIZE];
    struct storage *storage = house->storage;
    net_format_household_network(row->address, net);
    stored_ahead(house, storage_sanctions_list_on_person(storage, row->account, "",
                                                         sanction_list_add, NULL));
    stored_ahead(house, storage_sanctions_list_on_person(storage, row->account, row->name,
                                                         sanction_list_add, NULL));
    stored_ahead(house, storage_sanctions_list_on_addresses(storage, sanction_list_add, NULL));
    stored_ahead(house, storage_sanctions_list_by_source(storage, net, sanction_list_add, NULL));
    if (row->key_fingerprint[0] != '\0') {
        stored_ahead(house, storage_sanctions_list_on_key(storage, row->key_fingerprint,
                                                          sanction_list_add, NULL));
        stored_ahead(house, storage_sanctions_list_by_source(storage, row->key_fingerprint,
                                                             sanction_list_add, NULL));
    }
    allowlist_read_ahead(house, row->key_fingerprint);
}

const struct part sanctions_part = {
    .name = "sanctions",
    .house_size = sizeof(int64_t),
    .conn_size = sizeof(struct sanctions_conn_state),
    .load = sanctions_schedule_next_end,
    .tick = end_expired_sanctions,
    .next_ms = sanctions_next_expiry_ms,
    .greet = sanctions_notify_conn,
    .read_ahead = read_sanctions_ahead,
};
