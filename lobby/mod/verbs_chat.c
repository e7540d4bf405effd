#include "lobby/mod/channels.h"

#include "lobby/answers.h"
#include "lobby/chat.h"
#include "lobby/conns.h"
#include "lobby/mod/cases.h"
#include "lobby/mod/verb.h"
#include "lobby/persons.h"
#include "lobby/stored.h"
#include "lobby/tables.h"
#include "storage/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDE_MAX 50     /* lines at once */
#define SLOW_MAX_S 3600 /* longer is frozen */
#define LOG_SHOWN 50

void channel_name(enum storage_chat_channel channel, int64_t table, char out[CHANNEL_NAME_SIZE])
{
    if (channel == STORAGE_CHAT_TABLE) {
        (void)snprintf(out, CHANNEL_NAME_SIZE, "#%" PRId64, table);
    } else {
        (void)snprintf(out, CHANNEL_NAME_SIZE, "lobby");
    }
}

bool channel_takes(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_chat *line)
{
    const struct person *person = conn->person;
    char channel[CHANNEL_NAME_SIZE];
    int64_t is_frozen = 0, slow_s = 0;
    bool is_public = line->channel == STORAGE_CHAT_LOBBY || line->channel == STORAGE_CHAT_TABLE;
    if (!is_public || person->role != STORAGE_ROLE_PLAYER) {
        return true;
    }
    channel_name(line->channel, line->table, channel);
    stored_or_fail(house,
                   storage_rule_read(house->storage, STORAGE_RULE_FROZEN, channel, &is_frozen));
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_SLOW, channel, &slow_s));
    if (is_frozen != 0) {
        answer_no(house, conn, request, "frozen",
                  _("Moderators have silenced this chat for a while: nothing can be said here."));
        return false;
    }
    int64_t left_ms = person->said_ms + 1000 * slow_s - house->now_ms;
    if (slow_s > 0 && person->said_ms != 0 && left_ms > 0) {
        answer_wait(house, conn, request, (left_ms + 999) / 1000,
                    _("Moderators have slowed this chat down: wait a little with the next line."));
        return false;
    }
    return true;
}

/* The channel named by the order's word; the name is "" and it is refused when it is none. */
static void channel_read(struct order *order, char name[CHANNEL_NAME_SIZE])
{
    bool is_table = order->word[0] == '#';
    const struct table *table =
        is_table ? table_find(order->house, strtoll(order->word + 1, NULL, 10)) : NULL;
    name[0] = '\0';
    if (strcmp(order->word, "lobby") == 0) {
        channel_name(STORAGE_CHAT_LOBBY, 0, name);
    } else if (table != NULL) {
        channel_name(STORAGE_CHAT_TABLE, table->row.id, name);
        order->table_id = table->row.id;
    } else {
        order_no(order, "unknown", _("There is no chat %s: lobby, or a table's number like #7."),
                 order->word);
    }
    (void)snprintf(order->scope, sizeof(order->scope), "%s", name);
}

/* Everybody there reads it. */
static void channel_tell(struct order *order, const char *text)
{
    struct table *table = order->table_id == 0 ? NULL : table_find(order->house, order->table_id);
    if (table != NULL) {
        chat_house_table(order->house, table, text);
    } else {
        chat_house_lobby(order->house, text);
    }
    order_say(order, "%s", text);
}

static void slow_run(struct order *order)
{
    char channel[CHANNEL_NAME_SIZE], words[WORDS_MAX];
    channel_read(order, channel);
    if (order->code == NULL && order->number > SLOW_MAX_S) {
        order_no(order, "bad", _("At most %d seconds; /freeze silences a chat."), SLOW_MAX_S);
    }
    if (order->code != NULL) {
        return;
    }
    stored_or_fail(order->house, storage_rule_set(order->house->storage, STORAGE_RULE_SLOW, channel,
                                                  order->number));
    if (order->number == 0) {
        channel_tell(order, _("This chat is as quick as ever again."));
    } else {
        (void)snprintf(words, sizeof(words),
                       _("This chat is slowed down: everybody says a line in %lld s."),
                       (long long)order->number);
        channel_tell(order, words);
    }
}

const struct verb verb_slow = {
    .parts = {PART_WORD, PART_NUMBER},
    .run = slow_run,
};

static void freeze_run(struct order *order)
{
    char channel[CHANNEL_NAME_SIZE];
    bool is_on = strcmp(order->reason, "on") == 0;
    channel_read(order, channel);
    if (order->code == NULL && !is_on && strcmp(order->reason, "off") != 0) {
        order_no(order, "bad", "%s", _("Say on or off."));
    }
    if (order->code != NULL) {
        return;
    }
    stored_or_fail(order->house,
                   storage_rule_set(order->house->storage, STORAGE_RULE_FROZEN, channel, is_on));
    channel_tell(order, is_on ? _("This chat is silenced for a while: only staff talk here.")
                              : _("This chat is open again."));
}

const struct verb verb_freeze = {
    .parts = {PART_WORD, PART_TEXT},
    .run = freeze_run,
};

struct hiding {
    struct storage_chat lines[HIDE_MAX];
    size_t count;
};

static bool hiding_add(void *context, const struct storage_chat *line)
{
    struct hiding *hiding = context;
    hiding->lines[hiding->count++] = *line;
    return hiding->count < HIDE_MAX;
}

static void hiding_find(struct order *order, struct hiding *hiding)
{
    struct house *house = order->house;
    struct storage_account account;
    struct storage_chat_search search = {.text = "",
                                         .most = order->has_number ? (size_t)order->number : 1};
    if (order->word[0] >= '0' && order->word[0] <= '9') {
        int64_t number = strtoll(order->word, NULL, 10);
        hiding->count = stored(house, storage_chat_read(house->storage, number, hiding->lines));
    } else if (stored(house, storage_account_by_name(house->storage, order->word, &account))) {
        search.account = account.id;
        (void)snprintf(order->target.name, sizeof(order->target.name), "%s", account.name);
        stored_or_fail(house, storage_chat_said(house->storage, &search, hiding_add, hiding));
    }
    if (hiding->count == 0) {
        order_no(order, "unknown", "%s", _("No such line was said: /log tells their numbers."));
    }
}

static void hiding_tell(struct order *order, const char *name)
{
    const struct person *person = person_find(order->house, name);
    const struct conn *conn = NULL;
    char words[2 * WORDS_MAX];
    if (person == NULL) {
        return;
    }
    (void)snprintf(
        words, sizeof(words),
        _("%s has hidden what you said: %s · To appeal, write /report %s other and why."),
        order_actor(order), order->reason, order_actor(order));
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_notice(order->house, conn, "warn", words);
    }
}

static void hide_run(struct order *order)
{
    struct house *house = order->house;
    struct hiding hiding = {.count = 0};
    hiding_find(order, &hiding);
    if (order->code != NULL) {
        return;
    }
    json_t *numbers = json_array();
    order->line_last = hiding.lines[0].number;
    order->line_first = hiding.lines[hiding.count - 1].number;
    for (size_t i = 0; i < hiding.count; i++) {
        stored_or_fail(house,
                       storage_chat_hide(house->storage, hiding.lines[i].number, house->now_ms));
        (void)json_array_append_new(numbers, json_integer(hiding.lines[i].number));
    }
    order->after = json_pack("{s:O}", "hidden", numbers);
    chat_push_hidden(house, numbers);
    hiding_tell(order, hiding.lines[0].from);
    order_say(order, _("Hidden: %zu."), hiding.count);
}

const struct verb verb_hide = {
    .parts = {PART_WORD, PART_NUMBER_MAYBE, PART_REASON},
    .run = hide_run,
};

static bool search_read(struct order *order, struct storage_chat_search *search)
{
    int64_t span_ms = 0;
    const char *since = order_option(order, "since");
    const char *text = order_option(order, "text");
    const char *scope = order_option(order, "scope");
    int64_t most = order_option_number(order, "max", LOG_SHOWN);
    if (since != NULL && (!order_time_read(since, &span_ms) || span_ms < 0)) {
        order_no(order, "bad", "%s", _("since= wants a time like 12h or 7d."));
    }
    *search = (struct storage_chat_search){
        .text = text == NULL ? "" : text,
        .is_private = scope != NULL && strcmp(scope, "pm") == 0,
        .since_ms = since == NULL ? 0 : order->house->now_ms - span_ms,
        .most = most < CASE_LINES_MAX ? (size_t)most : CASE_LINES_MAX,
    };
    return order->code == NULL;
}

static void log_run(struct order *order)
{
    struct house *house = order->house;
    struct storage_chat_search search;
    struct storage_account account;
    bool is_table = order->word[0] == '#';
    if (!search_read(order, &search)) {
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (is_table || strcmp(order->word, "lobby") == 0) {
        order->table_id = is_table ? strtoll(order->word + 1, NULL, 10) : 0;
        stored_or_fail(house, storage_chat_heard(house->storage,
                                                 is_table ? STORAGE_CHAT_TABLE : STORAGE_CHAT_LOBBY,
                                                 order->table_id, &search, case_say_line, order));
    } else if (stored(house, storage_account_by_name(house->storage, order->word, &account))) {
        search.account = account.id;
        stored_or_fail(house, storage_chat_said(house->storage, &search, case_say_line, order));
    } else {
        order_no(order, "unknown", _("Nobody is called %s: look at how it is written."),
                 order->word);
    }
    if (order->code == NULL && json_array_size(order->lines) == 0) {
        order_say(order, "%s", _("Nothing of that was said."));
    }
}

const struct verb verb_log = {
    .parts = {PART_WORD},
    .flags = VERB_READS,
    .options = {"since", "text", "max", "scope"},
    .run = log_run,
};
