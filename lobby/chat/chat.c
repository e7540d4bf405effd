#include "lobby/chat/chat.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKLOG_MAX (CHAT_BACKLOG_LOBBY + CHAT_BACKLOG_DIRECT + LIMIT_OFFLINE_MESSAGES)

static struct payload *make_chat_line_payload(const struct storage_chat *line,
                                              bool is_offline_message)
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

/* A person's rate limit for chat lines, and how often they exceeded it. */
struct chat_rate {
    struct bucket lines;
    uint32_t strikes;
    int64_t strike_ms;
};

PERSON_STATE(chat_rate_of_person, struct chat_rate, chat);

/* A line that is being sent to several people. */
struct delivery {
    struct payload *payload;
    int64_t speaker; /* the sender's account; 0: a guest or the house */
};

static void deliver_to_person(struct house *house, const struct person *person,
                              const struct delivery *delivery)
{
    if (!blocks_allow_messages_from(person, delivery->speaker)) {
        return;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (!conn->awaits_hello) {
            conn_send_payload(house, conn, delivery->payload);
        }
    }
}

static void deliver_to_named_person(struct house *house, const char *name,
                                    const struct delivery *delivery)
{
    const struct person *person = person_find(house, name);
    if (person != NULL) {
        deliver_to_person(house, person, delivery);
    }
}

/* Sends to everybody in the channel; when `channel` is NULL, to everybody in the house. */
static void deliver_to_channel(struct house *house, const char *channel,
                               const struct delivery *delivery)
{
    PERSONS_EACH(person, house) {
        if (channel == NULL || channels_has_joined(person, channel)) {
            deliver_to_person(house, person, delivery);
        }
    }
}

static void deliver_to_table(struct house *house, const struct table *table,
                             const struct delivery *delivery, bool is_by_spectator)
{
    LINKED_CONNS_EACH(conn, table_chat_rules.conns(table)) {
        if (!conn->awaits_hello && blocks_allow_messages_from(conn->person, delivery->speaker) &&
            table_chat_rules.hears(table, conn, INT64_MAX, is_by_spectator)) {
            conn_send_payload(house, conn, delivery->payload);
        }
    }
}

static void send_line_to_spectators(struct house *house, const struct table *table,
                                    const struct storage_chat *line)
{
    struct payload *payload = make_chat_line_payload(line, false);
    LINKED_CONNS_EACH(conn, table_chat_rules.conns(table)) {
        if (!conn->awaits_hello && table_chat_rules.is_watcher(table, conn) &&
            blocks_allow_messages_from(conn->person, line->account)) {
            conn_send_payload(house, conn, payload);
        }
    }
    payload_release(payload);
}

void chat_send_line_to(struct house *house, const struct storage_chat *line,
                       const struct person *person, bool is_offline_message)
{
    const struct delivery delivery = {make_chat_line_payload(line, is_offline_message),
                                      line->account};
    deliver_to_person(house, person, &delivery);
    payload_release(delivery.payload);
}

void chat_send_line(struct house *house, const struct storage_chat *line, const struct table *table)
{
    const struct delivery delivery = {make_chat_line_payload(line, false), line->account};
    switch (line->channel) {
    case STORAGE_CHAT_LOBBY:
        deliver_to_channel(house, NULL, &delivery);
        break;
    case STORAGE_CHAT_TABLE:
        deliver_to_table(house, table, &delivery, line->is_by_spectator);
        break;
    case STORAGE_CHAT_CHANNEL:
        deliver_to_channel(house, line->to, &delivery);
        break;
    case STORAGE_CHAT_DIRECT:
        deliver_to_named_person(house, line->from, &delivery);
        deliver_to_named_person(house, line->to, &delivery);
        break;
    }
    payload_release(delivery.payload);
}

void chat_set_sentence(struct storage_chat *line, json_t *sentence)
{
    say_write_english(sentence, line->text, sizeof(line->text));
    if (say_sentence_if_has_arguments(sentence) != NULL) {
        say_write_stored_sentence(sentence, line->say, sizeof(line->say));
    }
    json_decref(sentence);
}

static void say_as_house(struct house *house, struct table *table, json_t *sentence)
{
    struct storage_chat line = {
        .channel = table == NULL ? STORAGE_CHAT_LOBBY : STORAGE_CHAT_TABLE,
        .table = table == NULL ? 0 : table_chat_rules.id(table),
        .kind = STORAGE_CHAT_SYSTEM,
        .at_ms = house->now_ms,
    };
    chat_set_sentence(&line, sentence);
    enum storage_result result = storage_chat_add(house->storage, &line, &line.number);
    if (table == NULL) {
        stored_or_fail(house, result);
    } else {
        stored_or_fail_item(house, "table", line.table, result);
    }
    chat_send_line(house, &line, table);
}

void chat_hide_lines(struct house *house, json_t *numbers)
{
    const struct delivery delivery = {
        payload_from_json(json_pack("{s:s,s:o}", "t", "hidden", "lines", numbers)), 0};
    deliver_to_channel(house, NULL, &delivery);
    payload_release(delivery.payload);
}

void chat_announce_in_lobby(struct house *house, json_t *sentence)
{
    PARTS_CALL(tell_now,
               house); /* readers of the line must already know the table that the line names */
    say_as_house(house, NULL, sentence);
}

void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence)
{
    say_as_house(house, table, sentence);
}

/* Chat lines read from the storage. */
struct backlog {
    struct storage_chat *lines; /* has room for BACKLOG_MAX lines */
    size_t count;
};

static bool backlog_append(void *context, const struct storage_chat *line)
{
    struct backlog *backlog = context;
    backlog->lines[backlog->count++] = *line;
    return backlog->count < BACKLOG_MAX;
}

static int compare_line_numbers(const void *left, const void *right)
{
    const struct storage_chat *a = left;
    const struct storage_chat *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Sends the lines in order, each one once, and frees them. The lines from the index `offline_begin`
 * on are offline messages. */
static void backlog_send(struct house *house, const struct conn *conn, struct backlog *backlog,
                         size_t offline_begin)
{
    int64_t waited[LIMIT_OFFLINE_MESSAGES];
    size_t waited_count = 0;
    for (size_t i = offline_begin; i < backlog->count && waited_count < LIMIT_OFFLINE_MESSAGES;
         i++) {
        waited[waited_count++] = backlog->lines[i].number;
    }
    qsort(backlog->lines, backlog->count, sizeof(*backlog->lines), compare_line_numbers);
    size_t at = 0;
    for (size_t i = 0; i < backlog->count; i++) {
        const struct storage_chat *line = &backlog->lines[i];
        if (i > 0 && line->number == line[-1].number) {
            continue;
        }
        bool is_offline_message = at < waited_count && waited[at] == line->number;
        at += is_offline_message;
        if (line->is_hidden || !blocks_allow_messages_from(conn->person, line->account)) {
            continue;
        }
        struct payload *payload = make_chat_line_payload(line, is_offline_message);
        conn_send_payload(house, conn, payload);
        payload_release(payload);
    }
    free(backlog->lines);
}

/* Removes the lines that the client already has: those up to the number `last_received_line`. */
static void backlog_drop_received(struct backlog *backlog, int64_t last_received_line)
{
    size_t kept = 0;
    for (size_t i = 0; i < backlog->count; i++) {
        if (backlog->lines[i].number > last_received_line) {
            backlog->lines[kept++] = backlog->lines[i];
        }
    }
    backlog->count = kept;
}

/* Reads the account's offline messages, but not those that are too old. Most people have none. */
static void read_offline_messages(struct house *house, int64_t account, struct backlog *backlog)
{
    size_t before = backlog->count;
    stored_or_fail(house, storage_chat_offline_messages_each(house->storage, account,
                                                             backlog_append, backlog));
    if (backlog->count > before) {
        backlog->count = before;
        direct_messages_expire(house);
        stored_or_fail(house, storage_chat_offline_messages_each(house->storage, account,
                                                                 backlog_append, backlog));
    }
}

/* Makes the reads of send_backlog_on_join. */
static void read_backlog_ahead(struct house *house, const struct person *person)
{
    struct storage *storage = house->storage;
    if (storage_read_ahead_begin(storage)) {
        stored_ahead(house, storage_chat_read_last(storage, STORAGE_CHAT_LOBBY, 0,
                                                   CHAT_BACKLOG_LOBBY, backlog_append, NULL));
        stored_ahead(house, storage_chat_read_direct_messages(
                                storage, person->name, CHAT_BACKLOG_DIRECT, backlog_append, NULL));
        stored_ahead(house, storage_chat_offline_messages_each(storage, person->account,
                                                               backlog_append, NULL));
        stored_or_fail(house, storage_read_ahead_end(storage));
    }
}

/* Sends a person who joins what they missed: the lobby's last lines after the number
 * `last_received_line`, the last direct messages, and the offline messages; then the same of the
 * channels. */
static void send_backlog_on_join(struct house *house, struct conn *conn, int64_t last_received_line)
{
    struct backlog backlog = {memory_new(BACKLOG_MAX * sizeof(*backlog.lines)), 0};
    read_backlog_ahead(house, conn->person);
    stored_or_fail(house, storage_chat_read_last(house->storage, STORAGE_CHAT_LOBBY, 0,
                                                 CHAT_BACKLOG_LOBBY, backlog_append, &backlog));
    backlog_drop_received(&backlog, last_received_line);
    stored_or_fail(house, storage_chat_read_direct_messages(house->storage, conn->person->name,
                                                            CHAT_BACKLOG_DIRECT, backlog_append,
                                                            &backlog));
    size_t kept = backlog.count;
    if (conn->person->account != 0) {
        read_offline_messages(house, conn->person->account, &backlog);
    }
    bool has_offline_messages = backlog.count > kept;
    backlog_send(house, conn, &backlog, kept);
    bool is_read = person_is_present_through(conn->person, conn);
    /* Offline messages stay stored, and are sent again, if nobody has read them or the disk is too
     * full to mark them as read. */
    if (has_offline_messages && is_read && !house->is_read_only) {
        stored_or_fail(house,
                       storage_offline_messages_delete(house->storage, conn->person->account));
    }
    channels_send_with_backlogs(house, conn);
}

void chat_send_table_backlog(struct house *house, const struct conn *conn)
{
    struct backlog backlog = {memory_new(BACKLOG_MAX * sizeof(*backlog.lines)), 0};
    stored_or_fail(house, storage_chat_read_last(house->storage, STORAGE_CHAT_TABLE,
                                                 table_chat_rules.id(table_chat_rules.of(conn)),
                                                 CHAT_BACKLOG_TABLE, backlog_append, &backlog));
    size_t count = 0;
    for (size_t i = 0; i < backlog.count; i++) {
        const struct storage_chat *line = &backlog.lines[i];
        if (table_chat_rules.hears(table_chat_rules.of(conn), conn, line->at_ms,
                                   line->is_by_spectator)) {
            backlog.lines[count++] = *line;
        }
    }
    backlog.count = count;
    backlog_send(house, conn, &backlog, backlog.count);
}

void chat_send_channel_backlog(struct house *house, const struct conn *conn, const char *channel)
{
    struct backlog backlog = {memory_new(BACKLOG_MAX * sizeof(*backlog.lines)), 0};
    stored_or_fail(house, storage_chat_read_channel(house->storage, channel, CHAT_BACKLOG_CHANNEL,
                                                    backlog_append, &backlog));
    backlog_send(house, conn, &backlog, backlog.count);
}

void chat_send_delayed_lines(struct house *house, const struct table *table, int64_t from_ms,
                             int64_t to_ms)
{
    struct backlog backlog = {memory_new(BACKLOG_MAX * sizeof(*backlog.lines)), 0};
    stored_or_fail(house, storage_chat_read_last(house->storage, STORAGE_CHAT_TABLE,
                                                 table_chat_rules.id(table), BACKLOG_MAX,
                                                 backlog_append, &backlog));
    for (size_t i = 0; i < backlog.count; i++) {
        const struct storage_chat *line = &backlog.lines[i];
        if (!line->is_by_spectator && !line->is_hidden && line->at_ms >= from_ms &&
            line->at_ms < to_ms) {
            send_line_to_spectators(house, table, line);
        }
    }
    free(backlog.lines);
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
           bucket_take_tokens(&chat_rate_of_person(person)->lines, &rule, 1, house->now_ms);
}

/* True when the sender is within the rate limit of chat; otherwise the request is refused. */
static bool sender_is_within_rate(const struct request *request)
{
    struct house *house = request->house;
    const struct house_config *config = &house->config;
    const struct bucket_rule rule = chat_rate_rule(house);
    const int64_t mute_ms = 1000 * (int64_t)config->chat_mute_s;
    struct person *person = request->conn->person;
    if (bucket_take_tokens(&chat_rate_of_person(person)->lines, &rule, 1, house->now_ms)) {
        return true;
    }
    if (house->now_ms - chat_rate_of_person(person)->strike_ms > mute_ms) {
        chat_rate_of_person(person)->strikes = 0;
    }
    chat_rate_of_person(person)->strike_ms = house->now_ms;
    if (++chat_rate_of_person(person)->strikes < config->chat_strikes) {
        int64_t wait_s = (config->chat_interval_ms + 999) / 1000;
        return answer_retry_later(
            request, wait_s,
            _("That was not sent, you write faster than others can read: wait %d s."), (int)wait_s);
    }
    chat_rate_of_person(person)->strikes = 0;
    voice_pause_person(person, house->now_ms + mute_ms);
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

static void message_say(const struct request *request)
{
    struct conn *conn = request->conn;
    struct storage_chat line = {0};
    const struct table *table = table_chat_rules.of(conn);
    bool is_quiet = false;
    const char *to = json_read_text(request->body, "to", CHANNEL_SIZE - 1);
    const char *kind = json_read_text(request->body, "kind", 16);
    size_t place = row_value_of_word(&chat_place_words, to);
    if (place == CHAT_PLACE_LOBBY) {
        line.channel = STORAGE_CHAT_LOBBY;
    } else if (place == CHAT_PLACE_TABLE && table != NULL) {
        line.channel = STORAGE_CHAT_TABLE;
        line.table = table_chat_rules.id(table);
        line.is_by_spectator = table_chat_rules.is_speaker(table, conn->person);
        is_quiet = line.is_by_spectator && table_chat_rules.is_quiet(table);
    } else if (to != NULL && channels_has_joined(conn->person, to)) {
        line.channel = STORAGE_CHAT_CHANNEL;
        (void)snprintf(line.to, sizeof(line.to), "%s", to);
    } else {
        answer_no(request, "absent",
                  _("Nobody would read that: write to the lobby, or enter a table or /join a "
                    "channel first."));
        return;
    }
    if (is_quiet) {
        answer_no(request, "quiet",
                  _("Spectators cannot talk at this table: write in the lobby, or wait until the "
                    "game ends."));
        return;
    }
    line.kind = kind != NULL && strcmp(kind, "me") == 0 ? STORAGE_CHAT_ME : STORAGE_CHAT_SAY;
    if (chat_read_line(request, &line)) {
        if (chat_store_line(request->house, &line)) {
            chat_send_line(request->house, &line, table);
        }
        answer_ok(request, NULL);
    }
}

const struct message_handler handler_say = {message_say};

static void announce_room_on_disk(struct house *house)
{
    chat_announce_in_lobby(house,
                           say(_("The disk was full for a while; no clock has run meanwhile.")));
}

const struct part chat_part = {
    .name = "chat",
    .hello = send_backlog_on_join,
    .read_ahead = channels_read_ahead,
    .save = announce_room_on_disk,
};

const struct person_listener chat_person_listener = {
    .person_size = sizeof(struct chat_rate),
};

/* lines rewritten in one round of the event loop: takes about 5 ms */
#define REWRITES_PER_PASS 200
#define REWRITES_TURN_MS 50 /* pause before the next batch of lines is rewritten */

struct chat_rewrites {
    int64_t due_ms; /* when the next batch of lines is rewritten */
};

PART_STATE(chat_rewrites_state, struct chat_rewrites, chat_rewrites);

void chat_rewrites_update_batch(struct house *house)
{
    bool is_more = false;
    stored_or_fail(house,
                   storage_chat_continue_rewrites(house->storage, REWRITES_PER_PASS, &is_more));
    chat_rewrites_state(house)->due_ms = is_more ? house->now_ms + REWRITES_TURN_MS : INT64_MAX;
}

static void schedule_first_rewrite(struct house *house)
{
    chat_rewrites_state(house)->due_ms = house->now_ms;
}

static void rewrite_lines_if_due(struct house *house)
{
    if (house->now_ms >= chat_rewrites_state(house)->due_ms) {
        chat_rewrites_update_batch(house);
    }
}

static int64_t next_rewrite_due_ms(const struct house *house)
{
    return chat_rewrites_state(house)->due_ms;
}

const struct part chat_rewrites_part = {
    .name = "chat-rewrites",
    .house_size = sizeof(struct chat_rewrites),
    .load = schedule_first_rewrite,
    .tick = rewrite_lines_if_due,
    .next_ms = next_rewrite_due_ms,
};

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

json_t *presence_sentence(const struct house *house, const struct person *person)
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
