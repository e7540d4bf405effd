#include "lobby/chat/chat.h"

#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/mod/mod.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS_SHOWN_MAX 200 /* maximum number of channels in one answer */

struct joined_channels {
    char names[LIMIT_CHANNELS_EACH][CHANNEL_SIZE];
    size_t count;
};

PERSON_STATE(joined_channels_of, struct joined_channels, channels);

static bool add_joined_channel(void *context, const struct storage_channel *channel)
{
    struct joined_channels *joined_channels = context;
    if (joined_channels->count < LIMIT_CHANNELS_EACH) {
        row_copy_text(joined_channels->names[joined_channels->count++], CHANNEL_SIZE,
                      channel->name);
    }
    return true;
}

static void load_joined_channels(struct house *house, struct person *person)
{
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_channels_of_account(house->storage, person->account,
                                                   add_joined_channel, joined_channels_of(person)));
    }
}

bool channels_has_joined(const struct person *person, const char *name)
{
    for (size_t i = 0; i < joined_channels_of(person)->count; i++) {
        if (strcmp(joined_channels_of(person)->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void send_channel_names(struct house *house, const struct conn *conn)
{
    const struct person *person = conn->person;
    json_t *names = json_array();
    for (size_t i = 0; i < joined_channels_of(person)->count; i++) {
        (void)json_array_append_new(names, json_string(joined_channels_of(person)->names[i]));
    }
    conn_send(house, conn, json_pack("{s:s,s:o}", "t", "channels", "names", names));
}

void channels_send_with_backlogs(struct house *house, struct conn *conn)
{
    const struct person *person = conn->person;
    send_channel_names(house, conn);
    for (size_t i = 0; i < joined_channels_of(person)->count; i++) {
        chat_send_channel_backlog(house, conn, joined_channels_of(person)->names[i]);
    }
}

bool channels_is_valid_name(const char *name)
{
    static const char *const own[] = {"lobby", "table", "house", "mod",
                                      "mods",  "admin", "staff", "trickhouse"};
    char skeleton[NAME_SKELETON_MAX];
    char own_skeleton[NAME_SKELETON_MAX];
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    size_t len = strlen(name);
    if (len < 2 || len >= CHANNEL_SIZE || name[0] != '#' || strchr(letters, name[1]) == NULL ||
        strspn(name + 1, "abcdefghijklmnopqrstuvwxyz0123456789-") != len - 1) {
        return false;
    }
    name_write_skeleton(name + 1, skeleton);
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        name_write_skeleton(own[i], own_skeleton);
        if (strcmp(skeleton, own_skeleton) == 0) {
            return false;
        }
    }
    return true;
}

static int count_connected_members(const struct house *house, const char *name)
{
    int here = 0;
    PERSONS_EACH(person, house) {
        here += channels_has_joined(person, name);
    }
    return here;
}

bool channels_exists(struct house *house, const char *name)
{
    bool is_there = count_connected_members(house, name) > 0;
    if (!is_there) {
        stored_or_fail(house, storage_channel_exists(house->storage, name, &is_there));
    }
    return is_there;
}

static void join_channel(struct house *house, struct person *person, const char *name)
{
    struct storage_channel channel = {.members = 1};
    row_copy_text(channel.name, sizeof(channel.name), name);
    (void)add_joined_channel(joined_channels_of(person), &channel);
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_channel_join(house->storage, person->account, name, house->now_ms));
    }
    LINKED_CONNS_EACH(other, &person->conns) {
        if (!other->awaits_hello) {
            send_channel_names(house, other);
            chat_send_channel_backlog(house, other, name);
        }
    }
}

void message_join(const struct request *request)
{
    struct person *person = request->conn->person;
    const char *name = json_read_text(request->body, "channel", CHANNEL_SIZE - 1);
    if (name == NULL || !channels_is_valid_name(name)) {
        answer_no(request, "name_bad",
                  _("A channel's name is # and 1 to 20 of a-z, 0-9 and -, a letter first, as in "
                    "#tea; some names are reserved."));
    } else if (channels_has_joined(person, name)) {
        answer_ok(request, json_pack("{s:s}", "channel", name));
    } else if (joined_channels_of(person)->count >= LIMIT_CHANNELS_EACH) {
        answer_no(request, "full",
                  _("You are in %d channels, the most that are allowed: /part one first."),
                  LIMIT_CHANNELS_EACH);
    } else if (channels_exists(request->house, name) ||
               voice_allows_request(request,
                                    MUTE_LOBBY)) { /* the name of a new channel is shown to others,
                                                      so the person must be allowed to talk */
        join_channel(request->house, person, name);
        answer_ok(request, json_pack("{s:s}", "channel", name));
    }
}

void message_part(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    struct joined_channels *joined_channels = joined_channels_of(person);
    const char *name = json_read_text(request->body, "channel", CHANNEL_SIZE - 1);
    size_t at = 0;
    while (at < joined_channels->count &&
           (name == NULL || strcmp(joined_channels->names[at], name) != 0)) {
        at++;
    }
    if (at == joined_channels->count) {
        answer_no(request, "unknown",
                  _("You are not in that channel: /channels lists the channels."));
        return;
    }
    if (person->account != 0) {
        stored_or_fail(house, storage_channel_leave(house->storage, person->account, name));
    }
    joined_channels->count--;
    memmove(joined_channels->names[at], joined_channels->names[at + 1],
            (joined_channels->count - at) * sizeof(joined_channels->names[0]));
    LINKED_CONNS_EACH(other, &person->conns) {
        if (!other->awaits_hello) {
            send_channel_names(house, other);
        }
    }
    answer_ok(request, NULL);
}

struct channel_rows {
    struct house *house;
    const struct person *person;
    json_t *rows;
};

static bool add_channel_row(void *context, const struct storage_channel *channel)
{
    struct channel_rows *list = context;
    (void)json_array_append_new(
        list->rows,
        json_pack("{s:s,s:I,s:i,s:b}", "name", channel->name, "members",
                  (json_int_t)channel->members, "here",
                  count_connected_members(list->house, channel->name), "is_in",
                  channels_has_joined(list->person, channel->name)));
    return json_array_size(list->rows) < CHANNELS_SHOWN_MAX;
}

void message_channels(const struct request *request)
{
    struct house *house = request->house;
    struct channel_rows list = {house, request->conn->person, json_array()};
    stored_or_fail(house, storage_channels_each(house->storage, add_channel_row, &list));
    answer_ok(request, json_pack("{s:o}", "channels", list.rows));
}

void channels_read_ahead(struct house *house, const struct storage_connection *row)
{
    if (row->account != 0) {
        stored_ahead(house, storage_channels_of_account(house->storage, row->account,
                                                        add_joined_channel, NULL));
    }
}

const struct person_listener channels_person_listener = {
    .person_size = sizeof(struct joined_channels),
    .begin = load_joined_channels,
};

/* how many lines of a chat are searched for a person's last line */
#define SLOW_LINES_SEARCHED 1000

void chat_write_name_of_line(const struct storage_chat *line, char out[PLACE_SIZE])
{
    if (line->channel == STORAGE_CHAT_TABLE) {
        (void)snprintf(out, PLACE_SIZE, "#%" PRId64, line->table);
    } else if (line->channel == STORAGE_CHAT_CHANNEL) {
        (void)snprintf(out, PLACE_SIZE, "%.22s", line->to);
    } else {
        (void)snprintf(out, PLACE_SIZE, "lobby");
    }
}

/* The search for a person's last line in one chat. */
struct last_line {
    const struct person *person;
    int64_t since_ms;
    int64_t said_ms; /* when the person's last line was said; 0: no such line was found */
};

static bool read_time_of_last_line(void *context, const struct storage_chat *line)
{
    struct last_line *last = context;
    const struct person *person = last->person;
    bool is_theirs = line->kind != STORAGE_CHAT_SYSTEM && line->account == person->account &&
                     (person->account != 0 || strcmp(line->from, person->name) == 0);
    if (line->at_ms <= last->since_ms) {
        return false;
    }
    last->said_ms = is_theirs ? line->at_ms : 0;
    return !is_theirs;
}

/* Returns how long the person must wait before their next line in slow mode. The wait is computed
 * from the stored lines, so that reconnecting does not shorten it. */
static int64_t slow_mode_wait_ms(struct house *house, const struct person *person,
                                 const struct storage_chat *chat, int64_t min_pause_ms)
{
    struct last_line last = {.person = person, .since_ms = house->now_ms - min_pause_ms};
    const struct storage_chat_search search = {
        .text = "", .to = chat->to, .most = SLOW_LINES_SEARCHED};
    stored_or_fail(house, storage_chat_search_channel(house->storage, chat->channel, chat->table,
                                                      &search, read_time_of_last_line, &last));
    return last.said_ms == 0 ? 0 : last.said_ms - last.since_ms;
}

bool channel_is_frozen(struct house *house, const struct person *person,
                       const struct storage_chat *line)
{
    char channel[PLACE_SIZE];
    int64_t is_frozen = 0;
    if (line->channel != STORAGE_CHAT_DIRECT && person->role == STORAGE_ROLE_PLAYER) {
        chat_write_name_of_line(line, channel);
        stored_or_fail(house,
                       storage_rule_read(house->storage, STORAGE_RULE_FROZEN, channel, &is_frozen));
    }
    return is_frozen != 0;
}

bool channel_admits_line(const struct request *request, const struct storage_chat *line)
{
    struct house *house = request->house;
    const struct person *person = request->conn->person;
    char channel[PLACE_SIZE];
    int64_t slow_s = 0;
    if (line->channel == STORAGE_CHAT_DIRECT || person->role != STORAGE_ROLE_PLAYER) {
        return true;
    }
    if (channel_is_frozen(house, person, line)) {
        return answer_no(
            request, "frozen",
            _("Moderators have silenced this chat for a while: nothing can be said here."));
    }
    chat_write_name_of_line(line, channel);
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_SLOW, channel, &slow_s));
    int64_t left_ms = slow_s == 0 ? 0 : slow_mode_wait_ms(house, person, line, 1000 * slow_s);
    if (left_ms > 0) {
        return answer_retry_later(
            request, (left_ms + 999) / 1000,
            _("Moderators have slowed this chat down: wait a little with the next line."));
    }
    return true;
}
