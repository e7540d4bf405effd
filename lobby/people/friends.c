#include "lobby/people/people.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/people/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRESENCE_COLUMNS_MAX 40

/* Reads the presence from the message; false when its value is unknown. */
static bool read_presence_kind(const json_t *object, enum person_presence *presence)
{
    size_t word = row_value_of_word(&person_presence_words, json_read_text(object, "kind", 16));
    if (word == person_presence_words.count) {
        return false;
    }
    *presence = (enum person_presence)word;
    return true;
}

/* True while what the person does may tell of present moves that others may not know of: they are
 * at a game of theirs that not everybody may watch as it is played. */
static bool plays_hidden_game(const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        const struct table *table = conn_table(conn);
        if (table != NULL && table_is_playing(table) && table->row.watch_policy != WATCH_PUBLIC &&
            table_seat_of(table, person) >= 0) {
            return true;
        }
    }
    return false;
}

int64_t presence_idle_ms(const struct house *house, const struct person *person)
{
    const struct table *table = person_find_entered_table(person);
    int seat = table == NULL ? -1 : table_seat_of(table, person);
    bool is_waiting = seat >= 0 && table_is_playing(table) && !table_is_turn_by_turn(table) &&
                      table->row.halt == STORAGE_HALT_NONE && !table_waits_for_seat(table, seat);
    return is_waiting || plays_hidden_game(person) ? 0 : house->now_ms - person->active_ms;
}

/* Stores the presence in the settings of the person's account, if they have one and the disk has
 * room. */
static void save_presence(struct house *house, struct person *person)
{
    json_t *value = person->presence == PRESENCE_HERE
                        ? NULL
                        : json_pack("{s:s,s:s}", "kind",
                                    row_word_of_value(&person_presence_words, person->presence),
                                    "text", person->presence_text);
    if (value == NULL) {
        (void)json_object_del(person->settings, "presence");
    } else {
        (void)json_object_set_new(person->settings, "presence", value);
    }
    person_save_settings(house, person);
    person_send_you_row(house, person);
}

static void set_presence(struct house *house, struct person *person, enum person_presence presence,
                         const char *text)
{
    person->presence = presence;
    person->presence_ms = house->now_ms;
    (void)snprintf(person->presence_text, sizeof(person->presence_text), "%s", text);
    save_presence(house, person);
}

static void load_presence(struct house *house, struct person *person)
{
    const json_t *kept = json_object_get(person->settings, "presence");
    const char *text = json_read_text(kept, "text", ROW_PRESENCE_SIZE - 1);
    person->presence_ms = house->now_ms;
    if (kept != NULL && read_presence_kind(kept, &person->presence)) {
        (void)snprintf(person->presence_text, sizeof(person->presence_text), "%s",
                       text == NULL ? "" : text);
    }
}

void presence_end_away_status(struct house *house, struct person *person)
{
    if (person->presence == PRESENCE_AWAY) {
        set_presence(house, person, PRESENCE_HERE, "");
    }
}

void message_presence(const struct request *request)
{
    struct person *person = request->conn->person;
    enum person_presence presence = PRESENCE_HERE;
    char text[TEXT_CLEAN_BYTES_MAX + 1] = "";
    const char *raw = json_string_value(json_object_get(request->body, "text"));
    if (!read_presence_kind(request->body, &presence)) {
        answer_no(request, "bad", _("You can be here, away, or in do-not-disturb."));
        return;
    }
    bool has_text = raw != NULL && raw[0] != '\0' && presence != PRESENCE_HERE;
    if (has_text && (text_clean(raw, text) != TEXT_CLEAN_OK || strlen(text) >= ROW_PRESENCE_SIZE ||
                     text_clean_count_columns(text) > PRESENCE_COLUMNS_MAX)) {
        answer_no(request, "too_long", _("Use at most 40 columns of text, as in /away coffee"));
        return;
    }
    if (has_text && !voice_allows_request(request, MUTE_LOBBY)) {
        return;
    }
    bool was_dnd = person->presence == PRESENCE_DND;
    set_presence(request->house, person, presence, text);
    if (was_dnd && presence != PRESENCE_DND) {
        direct_messages_deliver_offline(request->house, person);
    }
    answer_ok(request, NULL);
}

static void end_away_status_when_active(struct house *house, struct person *person,
                                        UNUSED bool was_idle)
{
    if (!plays_hidden_game(person)) {
        presence_end_away_status(house, person);
    }
}

const struct person_listener presence_person_listener = {
    .begin = load_presence,
    .active = end_away_status_when_active,
};

#define FRIENDS_MOMENT_MS 120000 /* a person's return after a shorter absence is not announced */
#define FRIENDS_PACE_MS 10000    /* shortest time between two announcements to one person */
#define FRIENDS_NAMED_MAX 5      /* how many friends an announcement names */

static bool append_friend(void *context, const struct storage_friend *other)
{
    struct friends *friends = context;
    friends->accounts =
        memory_grow(friends->accounts, friends->count, &friends->cap, sizeof(*friends->accounts));
    friends->accounts[friends->count++] = other->account;
    return true;
}

static void load_accounts(struct house *house, struct person *person)
{
    if (person->account != 0) {
        stored_or_fail(house, storage_friends_each(house->storage, person->account, append_friend,
                                                   friends_of(person)));
    }
}

static void free_friends(struct person *person)
{
    free(friends_of(person)->accounts);
    json_decref(friends_of(person)->arrived);
}

bool friends_exist(const struct person *person)
{
    return friends_of(person)->count > 0;
}

bool friends_include_account(const struct person *person, int64_t account)
{
    for (size_t i = 0; account != 0 && i < friends_of(person)->count; i++) {
        if (friends_of(person)->accounts[i] == account) {
            return true;
        }
    }
    return false;
}

static bool append_friend_name(void *context, const struct storage_friend *other)
{
    json_t *names = context;
    (void)json_array_append_new(names, json_string(other->name));
    return true;
}

void friends_send_names(struct house *house, struct conn *conn)
{
    json_t *names = json_array();
    if (conn->person->account != 0) {
        stored_or_fail(house, storage_friends_each(house->storage, conn->person->account,
                                                   append_friend_name, names));
    }
    conn_send(house, conn, json_pack("{s:s,s:o}", "t", "friends", "names", names));
}

void friends_reload(struct house *house, struct person *person)
{
    friends_of(person)->count = 0;
    load_accounts(house, person);
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (!conn->awaits_hello) {
            friends_send_names(house, conn);
        }
    }
}

/* Makes sure that the arrivals of the person's friends are announced when their time has come. */
static void wait_for_announcement(struct house *house, const struct friends *friends)
{
    int64_t due_ms = friends->told_ms + FRIENDS_PACE_MS;
    int64_t *next_ms = &lobby_of(house)->arrivals_due_ms;
    *next_ms = due_ms < *next_ms ? due_ms : *next_ms;
}

/* Returns those of the names whose persons are still in the house. */
static json_t *filter_present_names(const struct house *house, const json_t *names)
{
    json_t *present = json_array();
    for (size_t i = 0; i < json_array_size(names); i++) {
        json_t *name = json_array_get(names, i);
        if (person_is_in_house(person_find(house, json_string_value(name)))) {
            (void)json_array_append(present, name);
        }
    }
    return present;
}

/* Returns the sentence that announces these friends, of whom there is at least one. Takes over the
 * names. */
static json_t *announce_names(json_t *names)
{
    size_t count = json_array_size(names);
    json_t *sentence = NULL;
    if (count == 1) {
        sentence = say(_("Your friend %s is in the house now."),
                       json_string_value(json_array_get(names, 0)));
    } else if (count <= FRIENDS_NAMED_MAX) {
        sentence = say(_("Your friends are in the house now: %p."),
                       say_words_argument(json_incref(names)));
    } else {
        for (size_t i = count; i > FRIENDS_NAMED_MAX; i--) {
            (void)json_array_remove(names, i - 1);
        }
        sentence = say_plural("Your friends are in the house now: %p and %zu more.",
                              "Your friends are in the house now: %p and %zu more.",
                              say_words_argument(json_incref(names)), count - FRIENDS_NAMED_MAX);
    }
    json_decref(names);
    return sentence;
}

static void announce_arrived_friends(struct house *house, struct person *person)
{
    struct friends *friends = friends_of(person);
    json_t *names = filter_present_names(house, friends->arrived);
    json_decref(friends->arrived);
    friends->arrived = NULL;
    if (json_array_size(names) == 0) {
        json_decref(names);
        return;
    }
    friends->told_ms = house->now_ms;
    person_send_notice(house, person, "info", announce_names(names));
}

void friends_announce_due_arrivals(struct house *house)
{
    if (lobby_of(house)->arrivals_due_ms > house->now_ms) {
        return;
    }
    lobby_of(house)->arrivals_due_ms = INT64_MAX;
    PERSONS_EACH(person, house) {
        const struct friends *friends = friends_of(person);
        if (friends->arrived != NULL && friends->told_ms + FRIENDS_PACE_MS <= house->now_ms) {
            announce_arrived_friends(house, person);
        } else if (friends->arrived != NULL) {
            wait_for_announcement(house, friends);
        }
    }
}

/* An arrival that is being told to those who have the person as a friend. */
struct arrival {
    struct house *house;
    const char *name;
};

static bool note_arrival(void *context, const struct storage_friend *owner)
{
    const struct arrival *arrival = context;
    struct person *other = person_find(arrival->house, owner->name);
    if (other == NULL || other->presence == PRESENCE_DND ||
        !json_read_bool(other->settings, "arrivals", true)) {
        return true;
    }
    struct friends *friends = friends_of(other);
    if (friends->arrived == NULL) {
        friends->arrived = json_array();
        wait_for_announcement(arrival->house, friends);
    }
    (void)json_array_append_new(friends->arrived, json_string(arrival->name));
    return true;
}

void friends_announce_arrival(struct house *house, const struct person *person,
                              int64_t last_seen_ms)
{
    struct arrival arrival = {house, person->name};
    if (person->account != 0 && house->now_ms - last_seen_ms >= FRIENDS_MOMENT_MS) {
        stored_or_fail(house, storage_friends_toward_each(house->storage, person->account,
                                                          note_arrival, &arrival));
    }
}

bool need_friends(struct request *request)
{
    if (request->conn->person->account != 0) {
        return true;
    }
    return answer_no(request, "guest",
                     _("Guests cannot keep a list of friends: make an account for that."));
}

/* Finds the account named in the message. When there is none or it is the requester's own, answers
 * the request and returns false. */
static bool find_account_of_other_person(const struct request *request,
                                         struct storage_account *account)
{
    const char *name = json_read_name(request->body, "name");
    if (name == NULL ||
        !stored(request->house, storage_account_by_name(request->house->storage, name, account)) ||
        account->kind != STORAGE_PLAYER || account->is_closed) {
        answer_no(request, "unknown",
                  _("No player has that name: check its spelling; guests cannot be friends."));
    } else if (account->id == request->conn->person->account) {
        answer_no(request, "self", _("That is you: name somebody else."));
    } else {
        return true;
    }
    return false;
}

void message_friend_add(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    struct storage_account account;
    if (!find_account_of_other_person(request, &account)) {
        return;
    }
    if (friends_include_account(person, account.id)) {
        answer_ok(request, NULL);
        return;
    }
    if (friends_of(person)->count >= LIMIT_FRIENDS) {
        answer_no(request, "full",
                  _("You have %d friends, the most that are allowed: /unfriend one."),
                  LIMIT_FRIENDS);
        return;
    }
    if (stored(house,
               storage_friend_add(house->storage, person->account, account.id, house->now_ms))) {
        friends_reload(house, person);
    }
    answer_ok(request, NULL);
}

void message_friend_remove(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    struct storage_account account;
    if (!find_account_of_other_person(request, &account)) {
        return;
    }
    if (!stored(house, storage_friend_remove(house->storage, person->account, account.id))) {
        answer_no(request, "unknown", _("They are not your friend: /friends lists your friends."));
        return;
    }
    friends_reload(house, person);
    answer_ok(request, NULL);
}

struct friends_rows {
    struct house *house;
    json_t *rows;
};

static bool append_friend_row(void *context, const struct storage_friend *other)
{
    struct friends_rows *list = context;
    const struct person *person = person_find(list->house, other->name);
    struct friend_row friend = {.is_here = person_is_in_house(person), .seen_ms = other->seen_ms};
    row_copy_text(friend.name, sizeof(friend.name), other->name);
    json_t *row = friend_row_write(&friend);
    if (friend.is_here) {
        const struct table *table = person_find_entered_table(person);
        struct whereabouts_row where = {
            .table = table == NULL ? 0 : table->row.id,
            .is_seated = table != NULL && table_seat_of(table, person) >= 0,
            .idle_s = (int32_t)(presence_idle_ms(list->house, person) / 1000),
        };
        where.presence = presence_for_lobby_row(list->house, person, where.presence_text);
        whereabouts_row_put(&where, row);
    }
    (void)json_array_append_new(list->rows, row);
    return true;
}

void message_friends(const struct request *request)
{
    struct house *house = request->house;
    struct friends_rows list = {house, json_array()};
    if (request->conn->person->account != 0) {
        stored_or_fail(house, storage_friends_each(house->storage, request->conn->person->account,
                                                   append_friend_row, &list));
    }
    answer_ok(request, json_pack("{s:o}", "friends", list.rows));
}

const struct person_listener friends_person_listener = {
    .person_size = sizeof(struct friends),
    .begin = load_accounts,
    .end = free_friends,
};
