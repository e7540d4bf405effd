#include "lobby/chat/chat.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/mod/mod.h"
#include "storage/people/people.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS_SHOWN_MAX 200 /* maximum number of channels in one answer */

struct joined_channels {
    char names[LIMIT_CHANNELS_EACH][CHANNEL_SIZE];
    size_t count;
};

/* A person's rate limit for chat lines, and how often they exceeded it. */
struct chat_rate {
    struct bucket lines;
    uint32_t strikes;
    int64_t strike_ms;
};

struct talker {
    struct joined_channels joined;
    struct chat_rate rate;
};

PERSON_STATE(talker_of, struct talker, chat);

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
                                                   add_joined_channel, &talker_of(person)->joined));
    }
}

bool channels_has_joined(const struct person *person, const char *name)
{
    for (size_t i = 0; i < talker_of(person)->joined.count; i++) {
        if (strcmp(talker_of(person)->joined.names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

struct payload *chat_make_line_payload(const struct storage_chat *line, bool is_offline_message)
{
    bool is_channel = line->channel == STORAGE_CHAT_CHANNEL;
    struct chat_row row = {
        .kind = (uint8_t)line->kind,
        .at_ms = line->at_ms,
        .n = line->number,
        .is_kept = is_offline_message,
        .say = json_loads(line->say, 0, NULL), /* the house's sentence; NULL when none is stored */
    };
    row_copy_text(row.channel, sizeof(row.channel),
                  is_channel ? line->to : row_word_of_value(&chat_place_words, line->channel));
    row_copy_text(row.from, sizeof(row.from), line->from);
    row_copy_text(row.to, sizeof(row.to), is_channel ? "" : line->to);
    row_copy_text(row.text, sizeof(row.text), line->text);
    /* the type comes first, so that a session can read it without parsing the message */
    json_t *message = json_pack("{s:s}", "t", "chat");
    json_t *fields = chat_row_write(&row);
    json_decref(row.say);
    (void)json_object_update(message, fields);
    json_decref(fields);
    return payload_from_json(message);
}

_Static_assert((int)CHAT_PLACE_LOBBY == (int)STORAGE_CHAT_LOBBY &&
                   (int)CHAT_PLACE_TABLE == (int)STORAGE_CHAT_TABLE &&
                   (int)CHAT_PLACE_DIRECT == (int)STORAGE_CHAT_DIRECT &&
                   (int)CHAT_ME == (int)STORAGE_CHAT_ME &&
                   (int)CHAT_SYSTEM == (int)STORAGE_CHAT_SYSTEM &&
                   ROW_CHAT_SIZE >= STORAGE_CHAT_SIZE,
               "storage and rows use the same numbers for places and kinds of chat lines");

void chat_deliver(struct house *house, const struct conn *conn, struct payload *payload,
                  int64_t speaker)
{
    if (!conn->awaits_hello && blocks_allow_messages_from(conn->person, speaker)) {
        conn_send_payload(house, conn, payload);
    }
}

/* `person` may be NULL: then nobody gets the line. */
static void deliver_to_person(struct house *house, const struct person *person,
                              struct payload *payload, int64_t speaker)
{
    if (person != NULL) {
        LINKED_CONNS_EACH(conn, &person->conns) {
            chat_deliver(house, conn, payload, speaker);
        }
    }
}

/* Sends to everybody in the channel; when `channel` is NULL, to everybody in the house. */
static void deliver_to_channel(struct house *house, const char *channel, struct payload *payload,
                               int64_t speaker)
{
    PERSONS_EACH(person, house) {
        if (channel == NULL || channels_has_joined(person, channel)) {
            deliver_to_person(house, person, payload, speaker);
        }
    }
}

/* Sends a line to one person. With is_offline_message, the line is marked as an offline message. */
static void chat_send_line_to(struct house *house, const struct storage_chat *line,
                              const struct person *person, bool is_offline_message)
{
    struct payload *payload = chat_make_line_payload(line, is_offline_message);
    deliver_to_person(house, person, payload, line->account);
    payload_release(payload);
}

void chat_send_line(struct house *house, const struct storage_chat *line)
{
    struct payload *payload = chat_make_line_payload(line, false);
    if (line->channel == STORAGE_CHAT_DIRECT) {
        deliver_to_person(house, person_find(house, line->from), payload, line->account);
        deliver_to_person(house, person_find(house, line->to), payload, line->account);
    } else {
        deliver_to_channel(house, line->channel == STORAGE_CHAT_CHANNEL ? line->to : NULL, payload,
                           line->account);
    }
    payload_release(payload);
}

void chat_set_sentence(struct storage_chat *line, json_t *sentence)
{
    say_write_english(sentence, line->text, sizeof(line->text));
    if (say_sentence_if_has_arguments(sentence) != NULL) {
        say_write_stored_sentence(sentence, line->say, sizeof(line->say));
    }
    json_decref(sentence);
}

void chat_hide_lines(struct house *house, json_t *numbers)
{
    struct payload *payload =
        payload_from_json(json_pack("{s:s,s:o}", "t", "hidden", "lines", numbers));
    deliver_to_channel(house, NULL, payload, 0);
    payload_release(payload);
}

void chat_announce_in_lobby(struct house *house, json_t *sentence)
{
    struct storage_chat line = {
        .channel = STORAGE_CHAT_LOBBY, .kind = STORAGE_CHAT_SYSTEM, .at_ms = house->now_ms};
    PARTS_CALL(tell_now,
               house); /* readers of the line must already know the table that the line names */
    chat_set_sentence(&line, sentence);
    stored_or_fail(house, storage_chat_add(house->storage, &line, &line.number));
    chat_send_line(house, &line);
}

/* Stored lines that are sent to a connection. */
struct backlog {
    struct house *house;
    const struct conn *conn;
    int64_t offline[LIMIT_OFFLINE_MESSAGES]; /* the numbers of those that are offline messages */
    size_t offline_count;
};

static bool note_offline_message(void *context, const struct storage_chat *line)
{
    struct backlog *backlog = context;
    backlog->offline[backlog->offline_count++] = line->number;
    return backlog->offline_count < LIMIT_OFFLINE_MESSAGES;
}

static bool send_stored_line(void *context, const struct storage_chat *line)
{
    const struct backlog *backlog = context;
    bool is_offline_message = false;
    for (size_t i = 0; i < backlog->offline_count; i++) {
        is_offline_message = is_offline_message || backlog->offline[i] == line->number;
    }
    if (!line->is_hidden) {
        struct payload *payload = chat_make_line_payload(line, is_offline_message);
        chat_deliver(backlog->house, backlog->conn, payload, line->account);
        payload_release(payload);
    }
    return true;
}

/* Deletes offline messages older than LIMIT_OFFLINE_MESSAGE_DAYS. */
static void direct_messages_expire(struct house *house)
{
    int64_t before_ms = house->now_ms - LIMIT_OFFLINE_MESSAGE_DAYS * DAY_MS;
    if (!house->is_read_only) {
        stored_or_fail(house, storage_offline_messages_expire(house->storage, before_ms));
    }
}

/* Finds the account's offline messages, but not those that are too old. Most people have none. */
static void find_offline_messages(struct house *house, int64_t account, struct backlog *backlog)
{
    stored_or_fail(house, storage_chat_offline_messages_each(house->storage, account,
                                                             note_offline_message, backlog));
    if (backlog->offline_count > 0) {
        backlog->offline_count = 0;
        direct_messages_expire(house);
        stored_or_fail(house, storage_chat_offline_messages_each(house->storage, account,
                                                                 note_offline_message, backlog));
    }
}

/* Makes the reads of chat_send_lobby_backlog. */
static void read_backlog_ahead(struct house *house, const struct storage_chat_missed *missed)
{
    struct storage *storage = house->storage;
    if (storage_read_ahead_begin(storage)) {
        stored_ahead(house, storage_chat_offline_messages_each(storage, missed->account,
                                                               note_offline_message, NULL));
        stored_ahead(house, storage_chat_read_missed(storage, missed, send_stored_line, NULL));
        stored_or_fail(house, storage_read_ahead_end(storage));
    }
}

/* Sends the connection the last lines of the channel, in order. */
static void chat_send_channel_backlog(struct house *house, const struct conn *conn,
                                      const char *channel)
{
    struct backlog backlog = {.house = house, .conn = conn};
    stored_or_fail(house, storage_chat_read_channel(house->storage, channel, CHAT_BACKLOG_CHANNEL,
                                                    send_stored_line, &backlog));
}

static void send_channel_names(struct house *house, const struct conn *conn)
{
    const struct person *person = conn->person;
    json_t *names = json_array();
    for (size_t i = 0; i < talker_of(person)->joined.count; i++) {
        (void)json_array_append_new(names, json_string(talker_of(person)->joined.names[i]));
    }
    conn_send(house, conn, json_pack("{s:s,s:o}", "t", "channels", "names", names));
}

void chat_send_lobby_backlog(struct house *house, struct conn *conn)
{
    struct backlog backlog = {.house = house, .conn = conn};
    const struct storage_chat_missed missed = {
        .name = conn->person->name,
        .account = conn->person->account,
        .heard = conn->heard,
        .lobby_lines = CHAT_BACKLOG_LOBBY,
        .direct_messages = CHAT_BACKLOG_DIRECT,
    };
    read_backlog_ahead(house, &missed);
    if (missed.account != 0) {
        find_offline_messages(house, missed.account, &backlog);
    }
    stored_or_fail(house,
                   storage_chat_read_missed(house->storage, &missed, send_stored_line, &backlog));
    bool is_read = person_is_present_through(conn->person, conn);
    /* Offline messages stay stored, and are sent again, if nobody has read them or the disk is too
     * full to mark them as read. */
    if (backlog.offline_count > 0 && is_read && !house->is_read_only) {
        stored_or_fail(house, storage_offline_messages_delete(house->storage, missed.account));
    }
    send_channel_names(house, conn);
    const struct joined_channels *joined = &talker_of(conn->person)->joined;
    for (size_t i = 0; i < joined->count; i++) {
        chat_send_channel_backlog(house, conn, joined->names[i]);
    }
}

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

/* True when moderators have frozen the chat for which this person's line is meant. */
static bool channel_is_frozen(struct house *house, const struct person *person,
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

/* True when the line may be said now in its chat. Otherwise the request is answered `frozen` or
 * `wait`. Staff may always talk. */
static bool channel_admits_line(const struct request *request, const struct storage_chat *line)
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

static struct bucket_rule chat_rate_rule(const struct house *house)
{
    const struct house_config *config = &house->config;
    return (struct bucket_rule){config->chat_burst, 1000.0 / config->chat_interval_ms};
}

bool chat_may_announce_actions_of(struct house *house, struct person *person)
{
    const struct bucket_rule rule = chat_rate_rule(house);
    const struct storage_chat lobby = {.channel = STORAGE_CHAT_LOBBY};
    return voice_person_may_talk(house, person, MUTE_LOBBY) &&
           !channel_is_frozen(house, person, &lobby) &&
           bucket_take_tokens(&talker_of(person)->rate.lines, &rule, 1, house->now_ms);
}

/* True when the sender is within the rate limit of chat; otherwise the request is refused. */
static bool sender_is_within_rate(const struct request *request)
{
    struct house *house = request->house;
    const struct house_config *config = &house->config;
    const struct bucket_rule rule = chat_rate_rule(house);
    const int64_t mute_ms = 1000 * (int64_t)config->chat_mute_s;
    struct person *person = request->conn->person;
    if (bucket_take_tokens(&talker_of(person)->rate.lines, &rule, 1, house->now_ms)) {
        return true;
    }
    if (house->now_ms - talker_of(person)->rate.strike_ms > mute_ms) {
        talker_of(person)->rate.strikes = 0;
    }
    talker_of(person)->rate.strike_ms = house->now_ms;
    if (++talker_of(person)->rate.strikes < config->chat_strikes) {
        int64_t wait_s = (config->chat_interval_ms + 999) / 1000;
        return answer_retry_later(
            request, wait_s,
            _("That was not sent, you write faster than others can read: wait %d s."), (int)wait_s);
    }
    talker_of(person)->rate.strikes = 0;
    sanctions_person_state(person)->paused_ms = house->now_ms + mute_ms;
    person_journal_log_event(house, request->conn, "mute");
    return answer_retry_later(
        request, config->chat_mute_s,
        _("That was not sent, you wrote too much too quickly: you can chat again in %d s."),
        (int)config->chat_mute_s);
}

static enum mute_scope mute_scope_of_line(const struct storage_chat *line)
{
    static const enum mute_scope scopes[] = {
        [STORAGE_CHAT_LOBBY] = MUTE_LOBBY,
        [STORAGE_CHAT_TABLE] = MUTE_TABLE,
        [STORAGE_CHAT_DIRECT] = MUTE_TELL,
        [STORAGE_CHAT_CHANNEL] = MUTE_LOBBY,
    };
    static_assert(ARRAY_LEN(scopes) == STORED_LAST(STORED_CHAT_CHANNELS) + 1,
                  "every channel needs its mute");
    return scopes[line->channel];
}

bool chat_read_line(const struct request *request, struct storage_chat *line)
{
    struct conn *conn = request->conn;
    const char *raw = json_read_text(request->body, "text", PAYLOAD_MAX);
    char text[TEXT_CLEAN_BYTES_MAX + 1];
    enum text_clean_result result = raw == NULL ? TEXT_CLEAN_EMPTY : text_clean(raw, text);
    const uint32_t columns_max = request->house->config.chat_columns;
    if (result == TEXT_CLEAN_TOO_LONG ||
        (result == TEXT_CLEAN_OK && text_clean_count_columns(text) > columns_max)) {
        return answer_no(request, "too_long",
                         _("That is longer than %u columns: say it in two lines."),
                         (unsigned)columns_max);
    }
    if (result != TEXT_CLEAN_OK) {
        return answer_no(request, "empty", _("Your message is empty: type a text."));
    }
    if (!voice_allows_request(request, mute_scope_of_line(line)) ||
        !channel_admits_line(request, line) || !sender_is_within_rate(request)) {
        return false;
    }
    line->account = conn->person->account;
    line->at_ms = request->house->now_ms;
    line->conn = conn->id;
    line->request = request->id;
    (void)snprintf(line->from, sizeof(line->from), "%s", conn->person->name);
    (void)snprintf(line->text, sizeof(line->text), "%s", text);
    return true;
}

bool chat_store_line(struct house *house, struct storage_chat *line)
{
    const struct doing was = fault_blame_item(house, "table", line->table);
    bool is_stored = stored(house, storage_chat_add(house->storage, line, &line->number));
    house->doing = was;
    return is_stored;
}

/* The text that the person added to their presence; "" while they are muted. */
static const char *presence_text_unless_muted(const struct house *house,
                                              const struct person *person)
{
    return voice_person_may_talk(house, person, MUTE_LOBBY) ? person->presence_text : "";
}

uint8_t presence_for_lobby_row(const struct house *house, const struct person *person,
                               char text[ROW_PRESENCE_SIZE])
{
    bool has_text = person->presence != PRESENCE_HERE;
    row_copy_text(text, ROW_PRESENCE_SIZE,
                  has_text ? presence_text_unless_muted(house, person) : "");
    return (uint8_t)person->presence;
}

/* Makes a sentence (say.h) such as "ada is away: coffee". For do-not-disturb it adds that messages
 * are delivered later. */
static json_t *presence_sentence(const struct house *house, const struct person *person)
{
    const char *text = presence_text_unless_muted(house, person);
    if (person->presence == PRESENCE_DND) {
        return text[0] == '\0'
                   ? say(_("%s does not want to be disturbed. Your message waits for them."),
                         person->name)
                   : say(_("%s does not want to be disturbed: %s. Your message waits for them."),
                         person->name, text);
    }
    return text[0] == '\0' ? say(_("%s is away."), person->name)
                           : say(_("%s is away: %s."), person->name, text);
}

/* Direct messages. A person who is not in the house, or is set to do-not-disturb, gets them later
 * as offline messages. */

/* True when the requester may leave one more offline message for the account; otherwise the request
 * is refused. */
static bool requester_may_leave_message(const struct request *request, int64_t account)
{
    struct house *house = request->house;
    int64_t count = 0;
    int64_t count_from = 0;
    if (request->conn->person->kind == PERSON_GUEST) {
        return answer_no(
            request, "absent",
            _("That person cannot get messages now, and guests cannot leave messages for "
              "later: make an account for that."));
    }
    direct_messages_expire(house);
    stored_or_fail(house, storage_offline_messages_count(house->storage, account,
                                                         request->conn->person->name, &count,
                                                         &count_from));
    if (count_from >= LIMIT_OFFLINE_MESSAGES_PER_SENDER) {
        return answer_no(
            request, "full",
            _("Too many of your messages wait for this person, who must read them first."));
    }
    if (count >= LIMIT_OFFLINE_MESSAGES) {
        return answer_no(
            request, "full",
            _("Too many messages wait for this person: try again when they have been here."));
    }
    return true;
}

/* False when the recipient ignores the sender. The sender is not told: the message is accepted,
 * then dropped. */
static bool recipient_hears_sender(struct house *house, int64_t recipient, int64_t sender)
{
    int64_t ignored[BLOCKS_MAX];
    size_t count = 0;
    stored_or_fail(house, storage_blocks_read(house->storage, recipient, STORAGE_BLOCK_IGNORE,
                                              ignored, BLOCKS_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        if (ignored[i] == sender) {
            return false;
        }
    }
    return true;
}

struct recipient {
    const char *name;
    int64_t account;             /* 0: a guest */
    const struct person *person; /* NULL: not in the house */
    bool is_later;               /* whether they get the message later, as an offline message */
};

static void send_direct_message(const struct request *request, const struct recipient *to)
{
    struct house *house = request->house;
    const struct person *sender = request->conn->person;
    struct storage_chat line = {.channel = STORAGE_CHAT_DIRECT, .kind = STORAGE_CHAT_SAY};
    (void)snprintf(line.to, sizeof(line.to), "%s", to->name);
    if ((to->is_later && !requester_may_leave_message(request, to->account)) ||
        !chat_read_line(request, &line)) {
        return;
    }
    if (chat_store_line(house, &line)) {
        if (to->is_later && recipient_hears_sender(house, to->account, sender->account)) {
            stored_or_fail(house, storage_offline_message_add(house->storage, &line, to->account));
        }
        if (to->is_later) {
            chat_send_line_to(house, &line, sender, false);
        } else {
            chat_send_line(house, &line);
        }
        hook_events_chat_listener.direct_message(house, to->account, to->person, to->name,
                                                 line.from);
    }
    json_t *fields = to->is_later ? json_pack("{s:b}", "kept", 1) : json_object();
    if (to->person == NULL) {
        say_set_field(fields, "word",
                      say(_("%s is not in the house: your message waits for them."), to->name));
    } else if (to->is_later || to->person->presence == PRESENCE_AWAY) {
        say_set_field(fields, "word", presence_sentence(house, to->person));
    }
    answer_ok(request, fields);
}

void message_tell(const struct request *request)
{
    struct house *house = request->house;
    const char *to = json_read_name(request->body, "to");
    const struct person *found = to == NULL ? NULL : person_find(house, to);
    const struct person *person = person_is_in_house(found) ? found : NULL;
    struct storage_account account;
    if (found == request->conn->person) {
        answer_no(request, "self", _("That is you: talk to somebody else, /who lists them."));
    } else if (person != NULL && (person->presence != PRESENCE_DND || person->account == 0)) {
        const struct recipient recipient = {person->name, person->account, person, false};
        send_direct_message(request, &recipient);
    } else if (to != NULL && stored(house, storage_account_by_name(house->storage, to, &account)) &&
               account.kind == STORAGE_PLAYER && !account.is_closed) {
        found = person_find(house, account.name);
        const struct recipient recipient = {account.name, account.id,
                                            person_is_in_house(found) ? found : NULL, true};
        send_direct_message(request, &recipient);
    } else {
        answer_no(request, "unknown", _("Nobody has that name: /who lists those who are here."));
    }
}

void message_tells_read(const struct request *request)
{
    struct house *house = request->house;
    /* on a full disk the messages stay unread */
    if (request->conn->person->account != 0 && !house->is_read_only) {
        stored_or_fail(
            house, storage_offline_messages_delete(house->storage, request->conn->person->account));
    }
    answer_ok(request, NULL);
}

struct offline_delivery {
    struct house *house;
    const struct person *person;
};

static bool deliver_line(void *context, const struct storage_chat *line)
{
    const struct offline_delivery *delivery = context;
    chat_send_line_to(delivery->house, line, delivery->person, true);
    return true;
}

void direct_messages_deliver_offline(struct house *house, struct person *person)
{
    struct offline_delivery delivery = {house, person};
    if (person->account == 0) {
        return;
    }
    stored_or_fail(house, storage_chat_offline_messages_each(house->storage, person->account,
                                                             deliver_line, &delivery));
    stored_or_fail(house, storage_offline_messages_delete(house->storage, person->account));
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
    (void)add_joined_channel(&talker_of(person)->joined, &channel);
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
    } else if (talker_of(person)->joined.count >= LIMIT_CHANNELS_EACH) {
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
    struct joined_channels *joined_channels = &talker_of(person)->joined;
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
        list->rows, json_pack("{s:s,s:I,s:i,s:b}", "name", channel->name, "members",
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

static void announce_room_on_disk(struct house *house)
{
    chat_announce_in_lobby(house,
                           say(_("The disk was full for a while; no clock has run meanwhile.")));
}

#define NEWS_SETTING "news"

int64_t news_last_read_entry(const struct person *person)
{
    int64_t seen = 0;
    return json_read_number(person->settings, NEWS_SETTING, 0, INT64_MAX, &seen) ? seen : 0;
}

void news_set_last_read(struct house *house, struct person *person, int64_t entry)
{
    if (news_last_read_entry(person) != entry) {
        (void)json_object_set_new(person->settings, NEWS_SETTING, json_integer(entry));
        person_save_settings(house, person);
    }
}

/* The events of one kind that have not been told yet. */
struct untold {
    int count;
    json_t *last; /* the sentence of the last one; NULL: none */
};

struct talk {
    int64_t rewrites_ms; /* when the next batch of lines is rewritten */
    struct untold untold[TABLE_NEWS_COUNT];
    int64_t paid_ms; /* each line of news moves this time on by the pace, from now on if it has
                        passed; a line may be told while it is less than the burst ahead */
};

PART_STATE(talk_of, struct talk, chat);

/* Returns when the next line may be told. */
static int64_t next_line_ms(const struct house *house)
{
    return talk_of(house)->paid_ms - (int64_t)(TABLE_NEWS_BURST - 1) * TABLE_NEWS_PACE_MS;
}

static void tell_line(struct house *house, json_t *sentence)
{
    int64_t *paid_ms = &talk_of(house)->paid_ms;
    *paid_ms = (*paid_ms > house->now_ms ? *paid_ms : house->now_ms) + TABLE_NEWS_PACE_MS;
    chat_announce_in_lobby(house, sentence);
}

static bool has_untold_events(const struct house *house)
{
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        if (talk_of(house)->untold[kind].count > 0) {
            return true;
        }
    }
    return false;
}

static void forget_events(struct untold *untold)
{
    json_decref(untold->last);
    *untold = (struct untold){0};
}

void table_news_tell(struct house *house, enum table_news kind, json_t *sentence)
{
    if (!has_untold_events(house) && next_line_ms(house) <= house->now_ms) {
        tell_line(house, sentence);
    } else {
        struct untold *untold = &talk_of(house)->untold[kind];
        json_decref(untold->last);
        untold->last = sentence;
        untold->count++;
    }
}

static json_t *sum_up(enum table_news kind, int count)
{
    switch (kind) {
    case TABLE_NEWS_OPENED:
        return say_plural("%d table was opened", "%d tables were opened", count);
    case TABLE_NEWS_BEGUN:
        return say_plural("%d game has begun", "%d games have begun", count);
    case TABLE_NEWS_OVER:
    case TABLE_NEWS_COUNT:
        break;
    }
    return say_plural("%d game is over", "%d games are over", count);
}

static void tell_untold_events(struct house *house)
{
    if (!has_untold_events(house) || next_line_ms(house) > house->now_ms) {
        return;
    }
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        struct untold *untold = &talk_of(house)->untold[kind];
        if (untold->count > 0) {
            tell_line(house, untold->count == 1 ? json_incref(untold->last)
                                                : sum_up((enum table_news)kind, untold->count));
        }
        forget_events(untold);
    }
}

static void forget_all_events(struct house *house)
{
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        forget_events(&talk_of(house)->untold[kind]);
    }
}

/* lines rewritten in one round of the event loop: takes about 5 ms */
#define REWRITES_PER_PASS 200
#define REWRITES_TURN_MS 50 /* pause before the next batch of lines is rewritten */

void chat_rewrites_update_batch(struct house *house)
{
    bool is_more = false;
    stored_or_fail(house,
                   storage_chat_continue_rewrites(house->storage, REWRITES_PER_PASS, &is_more));
    talk_of(house)->rewrites_ms = is_more ? house->now_ms + REWRITES_TURN_MS : INT64_MAX;
}

static void schedule_first_rewrite(struct house *house)
{
    talk_of(house)->rewrites_ms = house->now_ms;
}

static void rewrite_lines_if_due(struct house *house)
{
    if (house->now_ms >= talk_of(house)->rewrites_ms) {
        chat_rewrites_update_batch(house);
    }
}

static int64_t next_rewrite_or_news_ms(const struct house *house)
{
    int64_t news_ms = has_untold_events(house) ? next_line_ms(house) : INT64_MAX;
    int64_t rewrites_ms = talk_of(house)->rewrites_ms;
    return news_ms < rewrites_ms ? news_ms : rewrites_ms;
}

const struct part chat_part = {
    .name = "chat",
    .house_size = sizeof(struct talk),
    .load = schedule_first_rewrite,
    .clear = forget_all_events,
    .tick = rewrite_lines_if_due,
    .flush = tell_untold_events,
    .next_ms = next_rewrite_or_news_ms,
    .save = announce_room_on_disk,
};

const struct person_listener chat_person_listener = {
    .person_size = sizeof(struct talker),
    .begin = load_joined_channels,
};
