#include "lobby/sanctions/sanctions.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/messages.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/listeners.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/appeals.h"
#include "lobby/sanctions/audit.h"
#include "lobby/sanctions/barring.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/sanctions/sources.h"

#include <string.h>

#define ENDING_MAX 64 /* in one turn; the rest in the next */

static const char *const scope_names[MUTE_SCOPES] = {"lobby", "table", "pm"};

const char *sanction_appeal_words(void)
{
    return _("To appeal, write /appeal and why.");
}

const char *sanction_followed_words(void)
{
    return _("This holds for whoever comes from your address or with your key.");
}

const char *sanction_target(const struct storage_sanction *sanction)
{
    return sanction->name[0] != '\0'      ? sanction->name
           : sanction->address[0] != '\0' ? sanction->address
                                          : sanction->fingerprint;
}

static const char *kind_words(enum storage_sanction_kind kind)
{
    switch (kind) {
    case STORAGE_SANCTION_WARN:
        return _("warned");
    case STORAGE_SANCTION_MUTE:
        return _("muted");
    case STORAGE_SANCTION_SUSPEND:
        return _("suspended from sitting down");
    case STORAGE_SANCTION_BAN:
        return _("banned");
    case STORAGE_SANCTION_RANKBAN:
        return _("kept from rated games");
    case STORAGE_SANCTION_HOLD:
        return _("held (you play, but are neither heard nor listed)");
    }
    return "";
}

static const char *kind_name(enum storage_sanction_kind kind)
{
    static const char *const names[] = {STORED_WORDS(STORED_SANCTION_KINDS)};
    return names[kind];
}

/* The scopes of a mute as an argument of %p. */
static void *scopes_say(uint32_t scopes)
{
    char names[64];
    struct text text = text_init(names, sizeof(names));
    for (int scope = 0; scope < MUTE_SCOPES; scope++) {
        if ((scopes >> scope & 1) != 0) {
            text_put(&text, text.len == 0 ? "" : ", ");
            text_put(&text, scope_names[scope]);
        }
    }
    return say_word(scopes == SANCTION_SCOPES_ALL ? _("everywhere") : names);
}

json_t *sanction_say(const struct storage_sanction *sanction)
{
    void *by = say_word(sanction->by_name);
    if (sanction->kind == STORAGE_SANCTION_WARN) {
        return say(_("warned by %p: %.300s"), by, sanction->reason);
    }
    if (sanction->kind == STORAGE_SANCTION_MUTE) {
        return say(_("muted (%p) %p, by %p: %.200s"), scopes_say(sanction->scopes),
                   say_until(sanction->until_ms), by, sanction->reason);
    }
    return say(_("%p %p, by %p: %.200s"), say_word(kind_words(sanction->kind)),
               say_until(sanction->until_ms), by, sanction->reason);
}

json_t *sanction_json(const struct storage_sanction *sanction, bool is_staffs)
{
    json_t *row = json_pack(
        "{s:I,s:s,s:s,s:s,s:s,s:i,s:s,s:s,s:I,s:o,s:I,s:s}", "id", (json_int_t)sanction->id, "kind",
        kind_name(sanction->kind), "name", sanction->name, "address", sanction->address, "key",
        sanction->fingerprint, "scopes", (int)sanction->scopes, "reason", sanction->reason, "by",
        sanction->by_name, "at", (json_int_t)sanction->since_ms, "until",
        sanction->until_ms == STORAGE_SANCTION_FOR_GOOD ? json_null()
                                                        : json_integer(sanction->until_ms),
        "ended", (json_int_t)sanction->ended_ms, "appeal", sanction->appeal);
    if (is_staffs) {
        (void)json_object_set_new(row, "note", json_string(sanction->note));
    }
    return row;
}

bool sanction_is_own(const struct storage_sanction *sanction, const struct person *person)
{
    return sanction->account == person->account &&
           (person->account != 0 ||
            (sanction->name[0] != '\0' && strcmp(sanction->name, person->name) == 0));
}

struct in_force {
    storage_sanction_row *row;
    void *context;
    bool goes_on;
};

static bool in_force_add(void *context, const struct storage_sanction *sanction)
{
    struct in_force *in_force = context;
    in_force->goes_on = in_force->row(in_force->context, sanction);
    return in_force->goes_on;
}

void sanctions_each(struct house *house, const struct person *person, storage_sanction_row *row,
                    void *context)
{
    struct in_force in_force = {row, context, true};
    stored_or_fail(house, storage_sanctions_on_person(house->storage, person->account, person->name,
                                                      in_force_add, &in_force));
    if (in_force.goes_on) {
        sources_each_of_person(house, person, row, context);
    }
}

/* A hold counts here only for guests: an account stores itself whether it is held. */
static bool note_sanction(void *context, const struct storage_sanction *sanction)
{
    struct person *person = context;
    struct sanctioned *sanctioned = &sanctions_person(person)->by_staff;
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

void sanctions_read(struct house *house, struct person *person)
{
    sanctions_person(person)->by_staff = (struct sanctioned){0};
    if (person_is_here(person)) {
        person_changed(house, person); /* the row may show it */
    }
    sanctions_each(house, person, note_sanction, person);
}

#define NOTED_MAX 16 /* of one person: more are not in force at once */

struct noted {
    int64_t ids[NOTED_MAX];
    size_t count;
};

static bool noted_add(void *context, const struct storage_sanction *sanction)
{
    struct noted *noted = context;
    if (sanctions_follow_kind(sanction->kind)) {
        noted->ids[noted->count++] = sanction->id;
    }
    return noted->count < NOTED_MAX;
}

void sanctions_note_source(struct house *house, const struct conn *conn)
{
    struct noted noted = {.count = 0};
    stored_or_fail(house, storage_sanctions_on_person(house->storage, conn->person->account, "",
                                                      noted_add, &noted));
    for (size_t i = 0; i < noted.count; i++) {
        sources_note(house, noted.ids[i], conn);
    }
}

static bool find_hold(void *context, const struct storage_sanction *sanction)
{
    bool *is_held = context;
    *is_held = sanction->kind == STORAGE_SANCTION_HOLD;
    return !*is_held;
}

bool sanctions_hold_newcomer(struct house *house, const struct conn *conn)
{
    bool is_held = false;
    sources_each_of_conn(house, conn, NULL, find_hold, &is_held);
    return is_held;
}

struct telling {
    struct house *house;
    struct conn *conn;
};

static bool tell_sanction(void *context, const struct storage_sanction *sanction)
{
    struct telling *telling = context;
    bool is_warning = sanction->kind == STORAGE_SANCTION_WARN;
    const char *then =
        is_warning ? _("Type /sanctions ok when you have read this.") : sanction_appeal_words();
    void *what = say_inner(sanction_say(sanction));
    conn_notice(telling->house, telling->conn, "warn",
                sanction_is_own(sanction, telling->conn->person)
                    ? say(_("You are %p · %p"), what, say_word(then))
                    : say(_("You are %p · %p %p"), what, say_word(sanction_followed_words()),
                          say_word(then)));
    return true;
}

void sanctions_tell(struct house *house, struct conn *conn)
{
    struct telling telling = {house, conn};
    sanctions_each(house, conn->person, tell_sanction, &telling);
}

static bool sanctions_let_sit(const struct request *request)
{
    if (sanctions_person(request->conn->person)->by_staff.suspend_ms <= request->house->now_ms) {
        return true;
    }
    answer_no_say(request, "suspended",
                  _("You may watch, but not sit down %p: /sanctions says why, /appeal asks to have "
                    "it lifted."),
                  say_until(sanctions_person(request->conn->person)->by_staff.suspend_ms));
    return false;
}

const struct need need_may_sit = {.holds = sanctions_let_sit};

static bool find_rankban(void *context, const struct storage_sanction *sanction)
{
    bool *is_barred = context;
    *is_barred = sanction->kind == STORAGE_SANCTION_RANKBAN;
    return !*is_barred;
}

bool sanctions_bar_rating(struct house *house, int64_t account, const struct person *person)
{
    bool is_barred = false;
    if (person != NULL) {
        return sanctions_person(person)->by_staff.rankban_ms > house->now_ms;
    }
    if (account != 0) {
        stored_or_fail(house, storage_sanctions_on_person(house->storage, account, "", find_rankban,
                                                          &is_barred));
    }
    return is_barred;
}

struct sanctions {
    int64_t due_ms; /* when the next sanction expires */
};

static struct sanctions *sanctions_of(const struct house *house)
{
    return PART_STATE(house, sanctions);
}

void sanctions_end_at(struct house *house, int64_t until_ms)
{
    struct sanctions *sanctions = sanctions_of(house);
    sanctions->due_ms = until_ms < sanctions->due_ms ? until_ms : sanctions->due_ms;
}

void sanctions_begin(struct house *house)
{
    stored_or_fail(house, storage_sanctions_next(house->storage, &sanctions_of(house)->due_ms));
}

struct ending {
    struct storage_sanction rows[ENDING_MAX];
    size_t count;
};

static bool ending_add(void *context, const struct storage_sanction *sanction)
{
    struct ending *ending = context;
    ending->rows[ending->count++] = *sanction;
    return ending->count < ENDING_MAX;
}

void sanction_over(struct house *house, const struct storage_sanction *sanction, const char *by,
                   json_t *told)
{
    struct person *person = NULL;
    struct index_at next;
    struct sources sources;
    sources_of_sanction(house, sanction->id, &sources);
    stored_or_fail(house, storage_sanction_end(house->storage, sanction->id, house->now_ms, by));
    barring_changed(house);
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        if (!sanction_is_own(sanction, person) &&
            !sources_follow(house, &sources, sanction, person)) {
            continue;
        }
        sanctions_read(house, person);
        if (told != NULL) {
            person_notice(house, person, "info", json_incref(told));
        }
    }
    json_decref(told);
}

/* Ends expired sanctions; tells their persons and writes the audit rows. */
static void sanctions_tick(struct house *house)
{
    static const char nobody[] = N_("the house");
    struct ending ending;
    if (house->now_ms < sanctions_of(house)->due_ms) {
        return;
    }
    ending.count = 0;
    stored_or_fail(house,
                   storage_sanctions_ending(house->storage, house->now_ms, ending_add, &ending));
    for (size_t i = 0; i < ending.count; i++) {
        const struct storage_sanction *sanction = &ending.rows[i];
        struct storage_audit row = {
            .verb = "expire",
            .arguments = kind_name(sanction->kind),
            .target_type = sanction->account != 0 ? "user" : "",
            .target_id = sanction->account,
            .target_name = sanction_target(sanction),
            .expires_ms = sanction->until_ms,
            .reason = sanction->reason,
        };
        sanction_over(house, sanction, nobody,
                      say(_("That you were %p is over."), say_word(kind_words(sanction->kind))));
        audit_house(house, &row);
        appeal_is_over(house, sanction, nobody, _("It is over."));
    }
    sanctions_begin(house);
}

static int64_t sanctions_next_ms(const struct house *house)
{
    return sanctions_of(house)->due_ms;
}

/* Some sanctions follow by the source of this connection. */
static void sanctions_enter(struct house *house, struct conn *conn)
{
    sanctions_read(house, conn->person);
}

const struct person_listener sanctions_person_listener = {
    .person_size = sizeof(struct sanctions_person),
    .enter = sanctions_enter,
};

const struct part sanctions_part = {
    .name = "sanctions",
    .house_size = sizeof(struct sanctions),
    .conn_size = sizeof(struct sanctions_conn),
    .load = sanctions_begin,
    .tick = sanctions_tick,
    .next_ms = sanctions_next_ms,
    .greet = sanctions_tell,
};
