#include "lobby/people/people.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
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
    person_mark_changed(house, person);
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

void presence_note_activity_late(struct house *house, struct person *person)
{
    if (person->active_ms > person->presence_ms) {
        presence_end_away_status(house, person);
    }
}

static void message_presence(const struct request *request)
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

const struct message_handler handler_presence = {message_presence};

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
