#include "lobby/persons/persons.h"

#include "lobby/house/parts.h"
#include "lobby/ratings/ratings.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CONN_STATE(link_of_conn, struct conn_link, persons);

const struct person_listener *const person_listeners[PERSON_LISTENERS_COUNT] = {
#define PERSON_LISTENER(name) &name##_person_listener,
#include "lobby/persons/listeners.def"
};

struct person *person_find(const struct house *house, const char *name)
{
    return index_find(&persons_of(house)->by_name, name, strlen(name));
}

bool person_is_in_house(const struct person *person)
{
    if (person == NULL) {
        return false;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (!conn->is_query_only) {
            return true;
        }
    }
    return false;
}

bool person_is_present_through(const struct person *person, const struct conn *conn)
{
    return !conn->is_query_only && (!conn->is_program || person->kind == PERSON_BOT);
}

static void persons_load(struct house *house)
{
    persons_of(house)->layout = (struct layout){0};
    for (size_t i = 0; i < PERSON_LISTENERS_COUNT; i++) {
        layout_add_block(&persons_of(house)->layout, i, person_listeners[i]->person_size);
    }
}

static bool person_has_totp(struct house *house, int64_t account)
{
    struct storage_totp totp;
    bool has_totp = stored(house, storage_totp_read(house->storage, account, &totp));
    sodium_memzero(&totp, sizeof(totp));
    return has_totp;
}

static struct person *person_new(struct house *house, const struct storage_account *account,
                                 const char *name)
{
    const struct layout *layout = &persons_of(house)->layout;
    struct person *person = memory_new(sizeof(*person) + layout->size);
    person->layout = layout;
    person->blocks = (char *)(person + 1);
    (void)snprintf(person->name, sizeof(person->name), "%s", name);
    person->rating = rating_row_make(NULL, 0);
    if (account == NULL) {
        person->kind = PERSON_GUEST;
        person->settings = json_object();
    } else {
        person->kind = account->kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
        person->account = account->id;
        person->created_ms = account->created_ms;
        person->role = account->role;
        person->is_held = account->is_held;
        person->has_password = account->password_hash[0] != '\0';
        person->has_totp = person_has_totp(house, account->id);
        json_t *settings = json_loads(account->settings, 0, NULL);
        person->settings = settings == NULL ? json_object() : settings;
        person_read_rating(house, person);
    }
    person->active_ms = house->now_ms;
    TAILQ_INIT(&person->conns);
    index_add(&persons_of(house)->by_name, person->name, strlen(person->name), person);
    PERSON_LISTENERS_CALL(begin, house, person);
    return person;
}

static void person_free(struct house *house, struct person *person)
{
    index_remove(&persons_of(house)->by_name, person->name, strlen(person->name));
    json_decref(person->settings);
    PERSON_LISTENERS_CALL(end, person);
    free(person);
}

static void persons_clear(struct house *house)
{
    PERSONS_EACH(person, house) {
        person_free(house, person);
    }
}

void person_enter(struct house *house, struct conn *conn, const struct storage_account *account,
                  const char *guest_name)
{
    const char *name = account == NULL ? guest_name : account->name;
    struct person *person = person_find(house, name);
    if (person == NULL) {
        person = person_new(house, account, name);
    }
    struct conn_link *link = link_of_conn(conn);
    link->conn = conn;
    TAILQ_INSERT_TAIL(&person->conns, link, in_list);
    person->conn_count++;
    conn->person = person;
    conn->phase = PHASE_IN;
    PERSON_LISTENERS_CALL(enter, house, conn);
    if (!conn->is_query_only) {
        person_mark_changed(house, person);
    }
}

static void person_leave(struct house *house, struct conn *conn)
{
    struct person *person = conn->person;
    if (person == NULL) {
        return;
    }
    struct conn_link *link = link_of_conn(conn);
    TAILQ_REMOVE(&person->conns, link, in_list);
    person->conn_count--;
    conn->person = NULL;
    if (person_is_present_through(person, conn) && person->account != 0 && !house->is_read_only) {
        stored_or_fail(
            house, storage_account_set_last_seen(house->storage, person->account, house->now_ms));
    }
    if (person_is_in_house(person)) {
        person_mark_changed(house, person);
        return;
    }
    if (!conn->is_query_only) {
        PERSON_LISTENERS_CALL(gone, house, person);
    }
    if (person->conn_count == 0) {
        person_free(house, person);
    }
}

struct you_row person_make_you_row(const struct person *person)
{
    struct you_row row = {
        .kind = (uint8_t)person->kind,
        .role = (uint8_t)person->role,
        .presence = (uint8_t)person->presence,
        .rating = person->rating,
        .has_password = person->has_password,
        .has_totp = person->has_totp,
        .settings = person->settings,
        .is_new = person->is_new,
        .is_recovered = ROW_UNSET,
    };
    row_copy_text(row.name, sizeof(row.name), person->name);
    return row;
}

static json_t *person_make_you_row_json(const struct person *person)
{
    struct you_row row = person_make_you_row(person);
    return you_row_write(&row);
}

void person_send_you_row(struct house *house, struct person *person)
{
    person_mark_changed(house, person);
    LINKED_CONNS_EACH(conn, &person->conns) {
        conn_send(house, conn,
                  json_pack("{s:s,s:o}", "t", "you", "you", person_make_you_row_json(person)));
    }
}

void person_send_notice(struct house *house, const struct person *person, const char *kind,
                        json_t *sentence)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        conn_send_notice(house, conn, kind, json_incref(sentence));
    }
    json_decref(sentence);
}

void person_save_settings(struct house *house, struct person *person)
{
    if (person->account == 0 || house->is_read_only) {
        return;
    }
    char *text = json_dumps(person->settings, JSON_COMPACT);
    stored_or_fail(
        house, text == NULL ? STORAGE_REFUSED
                            : storage_account_set_settings(house->storage, person->account, text));
    free(text);
}

void person_mark_changed(struct house *house, struct person *person)
{
    person->is_changed = true;
    persons_of(house)->has_changed = true;
}

static void person_note_activity(struct house *house, struct conn *conn)
{
    struct person *person = conn->person;
    if (person == NULL) {
        return;
    }
    bool was_idle = house->now_ms - person->active_ms >= PACE_IDLE_MS;
    if (was_idle) {
        person_mark_changed(house, person);
    }
    person->active_ms = house->now_ms;
    PERSON_LISTENERS_CALL(active, house, person, was_idle);
}

void person_read_rating(struct house *house, struct person *person)
{
    struct storage_rating rating;
    bool has_rating =
        stored(house, storage_rating_read_most_played(house->storage, person->account, &rating));
    person->rating = rating_row_make(has_rating ? &rating : NULL, house->now_ms);
    PERSON_LISTENERS_CALL(rated, house, person);
    person_send_you_row(house, person);
}

static void persons_add_you_row(UNUSED struct house *house, const struct conn *conn,
                                json_t *message)
{
    (void)json_object_set_new(message, "you",
                              conn->person == NULL ? json_null()
                                                   : person_make_you_row_json(conn->person));
}

static void persons_fill_conn_row(const struct conn *conn, struct storage_connection *row)
{
    if (conn->person != NULL) {
        row->account = conn->person->account;
        (void)snprintf(row->name, sizeof(row->name), "%s", conn->person->name);
    }
}

static void persons_measure(const struct house *house)
{
    PERSONS_EACH(person, house) {
        metrics_count(house, HOUSE_METRIC_people, NULL, NULL, person_is_in_house(person));
        LINKED_CONNS_EACH(conn, &person->conns) {
            metrics_count(house, HOUSE_METRIC_sessions, conn->transport, NULL, 1);
        }
    }
}

const struct part persons_part = {
    .name = "persons",
    .house_size = sizeof(struct persons),
    .conn_size =
        sizeof(struct conn_link), /* the connection's entry in the person's list of connections */
    .load = persons_load,
    .clear = persons_clear,
    .measure = persons_measure,
    .describe = persons_add_you_row,
    .active = person_note_activity,
    .conn_row = persons_fill_conn_row,
    .conn_gone = person_leave,
};

void person_journal_log_sign_in(const struct house *house, const struct conn *conn,
                                const char *method)
{
    if (conn->phase == PHASE_IN && conn->person != NULL) {
        enum storage_role role = conn->person->role;
        metrics_count(house, HOUSE_METRIC_sign_ins, method, conn->transport, 1);
        journal_write(house, conn, "sign-in",
                      JOURNAL_PAIRS("method", method, "account", conn->person->name, "role",
                                    role == STORAGE_ROLE_PLAYER ? NULL : role_name(role),
                                    "transport", conn->transport, "address", conn->address));
    }
}

void person_journal_log_event(const struct house *house, const struct conn *conn, const char *event)
{
    journal_write(house, conn, event, JOURNAL_PAIRS("account", conn->person->name));
}
