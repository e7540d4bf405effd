#include "lobby/people/persons.h"

#include "lobby/accounts/guests.h"
#include "lobby/archive/reviews.h"
#include "lobby/chat/channels.h"
#include "lobby/house/conns.h"
#include "lobby/house/memory.h"
#include "lobby/house/stored.h"
#include "lobby/people/friends.h"
#include "lobby/people/invites.h"
#include "lobby/people/lobby_push.h"
#include "lobby/people/presence.h"
#include "lobby/ratings/rating.h"
#include "lobby/sanctions/regards.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/observing.h"
#include "lobby/tables/table_fit.h"
#include "lobby/tables/table_people.h"
#include "lobby/tables/table_respite.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person *person_find(const struct house *house, const char *name)
{
    return index_find(&house->persons, name, strlen(name));
}

bool person_is_here(const struct person *person)
{
    const struct conn *conn = NULL;
    if (person == NULL) {
        return false;
    }
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        if (!conn->is_asking) {
            return true;
        }
    }
    return false;
}

bool person_comes_by(const struct person *person, const struct conn *conn)
{
    return !conn->is_asking && (!conn->is_program || person->kind == PERSON_BOT);
}

static bool person_reads_totp(struct house *house, int64_t account)
{
    struct storage_totp totp;
    bool has_totp = stored(house, storage_totp_read(house->storage, account, &totp));
    sodium_memzero(&totp, sizeof(totp));
    return has_totp;
}

static struct person *person_new(struct house *house, const struct storage_account *account,
                                 const char *name)
{
    struct person *person = memory_new(sizeof(*person));
    (void)snprintf(person->name, sizeof(person->name), "%s", name);
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
        person->has_totp = person_reads_totp(house, account->id);
        json_t *settings = json_loads(account->settings, 0, NULL);
        person->settings = settings == NULL ? json_object() : settings;
        person_read_rating(house, person);
        friends_begin(house, person);
        channels_begin(house, person);
        presence_begin(house, person);
    }
    regards_read(house, person);
    invites_begin(house, person);
    person->active_ms = house->now_ms;
    TAILQ_INIT(&person->conns);
    index_add(&house->persons, person->name, strlen(person->name), person);
    return person;
}

static void person_free(struct house *house, struct person *person)
{
    index_remove(&house->persons, person->name, strlen(person->name));
    json_decref(person->settings);
    friends_clear(person);
    regards_clear(person);
    free(person->row);
    free(person->mine);
    free(person->unfit);
    free(person);
}

void person_rename(struct house *house, struct person *person, const char *name)
{
    if (person->row != NULL) {
        lobby_person_gone(house, person->name);
        free(person->row);
        person->row = NULL;
    }
    index_remove(&house->persons, person->name, strlen(person->name));
    (void)snprintf(person->name, sizeof(person->name), "%s", name);
    index_add(&house->persons, person->name, strlen(person->name), person);
    person_changed(house, person);
    person_tell_you(house, person);
}

void persons_clear(struct house *house)
{
    struct person *person = NULL;
    struct index_at next;
    INDEX_EACH(&house->persons, person, next)
    {
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
    TAILQ_INSERT_TAIL(&person->conns, conn, of_person);
    person->conn_count++;
    conn->person = person;
    conn->phase = PHASE_IN;
    sanctions_read(house, person); /* some follow from where this connection comes */
    guests_note(house, conn);
    if (!conn->is_asking) {
        person_changed(house, person);
    }
}

void person_leave(struct house *house, struct conn *conn)
{
    struct person *person = conn->person;
    guests_note(house, conn);
    review_exit(house, conn);
    TAILQ_REMOVE(&person->conns, conn, of_person);
    person->conn_count--;
    lobby_forget(house, conn);
    conn->person = NULL;
    if (person_comes_by(person, conn) && person->account != 0 && !house->is_read_only) {
        stored_or_fail(house,
                       storage_account_set_seen(house->storage, person->account, house->now_ms));
    }
    if (person_is_here(person)) {
        person_changed(house, person);
        return;
    }
    if (!conn->is_asking) {
        table_people_gone(house, person);
    }
    if (person->row != NULL) {
        lobby_person_gone(house, person->name);
        free(person->row);
        person->row = NULL;
    }
    if (person->conn_count == 0) {
        person_free(house, person);
    }
}

const char *person_kind_name(enum person_kind kind)
{
    return row_text(&person_kind_words, kind);
}

enum person_kind person_kind_of(enum storage_kind kind)
{
    return kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
}

_Static_assert((int)ROLE_PLAYER == (int)STORAGE_ROLE_PLAYER &&
                   (int)ROLE_MOD == (int)STORAGE_ROLE_MOD &&
                   (int)ROLE_ADMIN == (int)STORAGE_ROLE_ADMIN,
               "a role has the same number in the data and in rows");

const char *role_name(enum storage_role role)
{
    return row_text(&person_role_words, role);
}

json_t *person_you(const struct person *person)
{
    return json_pack("{s:s,s:s,s:s,s:b,s:b,s:O,s:b}", "name", person->name, "kind",
                     person_kind_name(person->kind), "role", role_name(person->role),
                     "has_password", person->has_password, "has_totp", person->has_totp, "settings",
                     person->settings, "is_new", person->is_new);
}

void person_tell_you(struct house *house, const struct person *person)
{
    const struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_push(house, conn, json_pack("{s:s,s:o}", "t", "you", "you", person_you(person)));
    }
}

void person_notice(struct house *house, const struct person *person, const char *kind,
                   const char *text)
{
    const struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_notice(house, conn, kind, text);
    }
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

void person_changed(struct house *house, struct person *person)
{
    person->is_changed = true;
    house->lobby_changed = true;
}

void person_mine_changed(struct house *house, struct person *person)
{
    person->mine_changed = true;
    house->mine_changed = true;
}

void person_is_active(struct house *house, struct person *person)
{
    if (house->now_ms - person->active_ms >= PACE_IDLE_MS) {
        person_changed(house, person);
        if (person_is_here(person)) {
            respite_end(house, person->account);
        }
    }
    person->active_ms = house->now_ms;
    presence_stir(house, person);
}

void person_read_rating(struct house *house, struct person *person)
{
    struct storage_rating rating;
    table_fit_forget(person);
    table_fits_changed(house);
    person->is_provisional = false;
    person->has_rating =
        stored(house, storage_rating_most_played(house->storage, person->account, &rating));
    if (person->has_rating) {
        struct rating now =
            rating_idle((struct rating){rating.mu, rating.sigma}, house->now_ms - rating.rated_ms);
        person->mu = now.mu;
        person->sigma = now.sigma;
        person->is_provisional = rating_is_provisional(rating.games, now.sigma);
    }
}

const struct table *person_table(const struct person *person)
{
    const struct table *table = NULL;
    const struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        bool is_seen = conn->table != NULL && !observing_is(conn);
        table = is_seen ? conn->table : table;
    }
    return table;
}

void rating_put(json_t *row, bool has_rating, double mu, bool is_provisional)
{
    json_t *points = has_rating ? json_integer(lround(rating_points(mu))) : json_null();
    (void)json_object_set_new(row, "rating", points);
    (void)json_object_set_new(row, "is_provisional", json_boolean(is_provisional));
}
