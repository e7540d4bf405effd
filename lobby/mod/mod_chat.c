#include "lobby/chat/channel_rules.h"

#include "lobby/chat/channels.h"
#include "lobby/chat/chat.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/mod_case.h"
#include "lobby/mod/mod_line.h"
#include "lobby/persons/names.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/tables/tables.h"
#include "storage/mod/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDE_MAX 50     /* lines at once */
#define SLOW_MAX_S 3600 /* a longer pause would be a freeze */
#define LOG_SHOWN 50

/* Reads the order's word as a chat; refuses when there is no such one. Gives a line of the house
 * for that chat. */
static struct storage_chat place_read(struct order *order)
{
    struct storage_chat line = {.kind = STORAGE_CHAT_SYSTEM, .at_ms = order->house->now_ms};
    const char *word = order->word;
    bool is_table = word[0] == '#' && word[1] != '\0' && strlen(word) < PLACE_SIZE &&
                    strspn(word + 1, "0123456789") == strlen(word + 1);
    if (is_table) {
        line.channel = STORAGE_CHAT_TABLE;
        line.table = order->table_id = strtoll(word + 1, NULL, 10);
    } else if (channels_is_name(word)) {
        line.channel = STORAGE_CHAT_CHANNEL;
        (void)snprintf(line.to, sizeof(line.to), "%s", word);
    } else if (strcmp(word, "lobby") != 0) {
        order_no(order, "unknown",
                 _("There is no chat %s: lobby, a channel like #tea, or a table like #7."), word);
    }
    order->target.kind = TARGET_CHAT;
    order->target.id = line.table;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", word);
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", word);
    return line;
}

/* The same for setting this rule: the chat has to exist, or the rule to be in force there
 * already. */
static struct storage_chat place_open(struct order *order, enum storage_rule rule)
{
    struct storage_chat line = place_read(order);
    struct house *house = order->house;
    int64_t value = 0;
    stored_or_fail(house, storage_rule_read(house->storage, rule, order->target.name, &value));
    if (order->code != NULL || value != 0) {
        return line;
    }
    if (line.channel == STORAGE_CHAT_TABLE && table_find(house, line.table) == NULL) {
        order_no(order, "unknown", _("Table %s is closed, or never was."), order->word);
    } else if (line.channel == STORAGE_CHAT_CHANNEL && !channels_is_there(house, line.to)) {
        order_no(order, "unknown", _("Nobody is in a channel %s: /channels lists those there are."),
                 order->word);
    }
    return line;
}

/* Tells everybody in the chat. A table that has closed since the rule was set has nobody. */
static void place_tell(struct order *order, struct storage_chat *line, json_t *sentence)
{
    const struct table *table = table_find(order->house, line->table);
    bool is_there = line->channel != STORAGE_CHAT_TABLE || table != NULL;
    chat_set_sentence(line, json_incref(sentence));
    if (is_there && chat_store(order->house, line)) {
        chat_push(order->house, line, table);
    }
    order_say_said(order, sentence);
}

/* Sets the rule for the chat, as the requester's decision; 0 removes both. */
static void place_set(struct order *order, const char *channel, enum storage_rule rule,
                      int64_t value)
{
    enum storage_decision_kind kind =
        rule == STORAGE_RULE_SLOW ? STORAGE_DECISION_SLOW : STORAGE_DECISION_FROZEN;
    stored_or_fail(order->house, storage_rule_set(order->house->storage, rule, channel, value));
    if (value == 0) {
        decision_drop(order->house, kind, channel);
    } else {
        decision_take(order, kind, channel);
    }
}

static void slow_run(struct order *order)
{
    char channel[PLACE_SIZE];
    struct storage_chat line = place_open(order, STORAGE_RULE_SLOW);
    if (order->code == NULL && order->number > SLOW_MAX_S) {
        order_no(order, "bad", _("At most %d seconds; /freeze silences a chat."), SLOW_MAX_S);
    }
    place_name(&line, channel);
    if (order->code != NULL || !decision_is_theirs(order, STORAGE_DECISION_SLOW, channel)) {
        return;
    }
    place_set(order, channel, STORAGE_RULE_SLOW, order->number);
    if (order->number == 0) {
        place_tell(order, &line, say(_("This chat is as quick as ever again.")));
    } else {
        place_tell(order, &line,
                   say(_("This chat is slowed down: everybody says a line in %lld s."),
                       (long long)order->number));
    }
}

const struct mod_command mod_command_slow = {
    .parts = {PART_WORD, PART_NUMBER},
    .run = slow_run,
};

static void freeze_run(struct order *order)
{
    char channel[PLACE_SIZE];
    bool is_on = strcmp(order->reason, "on") == 0;
    struct storage_chat line = place_open(order, STORAGE_RULE_FROZEN);
    if (order->code == NULL && !is_on && strcmp(order->reason, "off") != 0) {
        order_no(order, "bad", "%s", _("Say on or off."));
    }
    place_name(&line, channel);
    if (order->code != NULL || !decision_is_theirs(order, STORAGE_DECISION_FROZEN, channel)) {
        return;
    }
    place_set(order, channel, STORAGE_RULE_FROZEN, is_on);
    place_tell(order, &line,
               say("%s", is_on ? _("This chat is silenced for a while: only staff talk here.")
                               : _("This chat is open again.")));
}

const struct mod_command mod_command_freeze = {
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

/* Nobody may hide the lines of an equal or a superior; hiding one's own is allowed. */
static void hiding_check(struct order *order, const struct storage_chat *line)
{
    struct storage_account account;
    if (line->account == 0 || line->account == order_actor_account(order) ||
        !stored(order->house,
                storage_account_by_id(order->house->storage, line->account, &account))) {
        return;
    }
    enum rank rank = rank_of_role(account.role);
    if (rank >= RANK_MOD && rank >= order->rank) {
        order_no(order, "role", _("%s has the same rights as you, or more: ask somebody above."),
                 account.name);
    }
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
        stored_or_fail(house,
                       storage_chat_search_account(house->storage, &search, hiding_add, hiding));
    } else if (name_is_guests(order->word)) {
        search.guest = order->word;
        (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
        stored_or_fail(house,
                       storage_chat_search_account(house->storage, &search, hiding_add, hiding));
    }
    if (hiding->count == 1 && hiding->lines[0].is_hidden) {
        order_no(order, "bad", "%s", _("That line is hidden already."));
    } else if (hiding->count > 0) {
        hiding_check(order, &hiding->lines[0]);
    } else {
        order_no(order, "unknown", "%s", _("No such line was said: /log tells their numbers."));
    }
}

static void hiding_tell(struct order *order, const char *name)
{
    const struct person *person = person_find(order->house, name);
    if (person == NULL) {
        return;
    }
    person_notice(
        order->house, person, "warn",
        say(_("%p has hidden what you said: %s · To appeal, write /report %s other and why."),
            order_by(order), order->reason, order_actor(order)));
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

const struct mod_command mod_command_hide = {
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
        .to = "",
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
    bool is_place = order->word[0] == '#' || strcmp(order->word, "lobby") == 0;
    if (!search_read(order, &search)) {
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (is_place) {
        const struct storage_chat line = place_read(order);
        if (order->code != NULL) {
            return;
        }
        search.to = line.to;
        stored_or_fail(house, storage_chat_search_channel(house->storage, line.channel, line.table,
                                                          &search, case_say_line, order));
    } else if (stored(house, storage_account_by_name(house->storage, order->word, &account))) {
        search.account = account.id;
        stored_or_fail(house,
                       storage_chat_search_account(house->storage, &search, case_say_line, order));
    } else if (name_is_guests(order->word)) {
        search.guest = order->word;
        stored_or_fail(house,
                       storage_chat_search_account(house->storage, &search, case_say_line, order));
    } else {
        order_no(order, "unknown", _("Nobody is called %s: look at how it is written."),
                 order->word);
    }
    if (order->code == NULL && json_array_size(order->lines) == 0) {
        order_say(order, "%s", _("Nothing of that was said."));
    }
    if (order->code == NULL && search.text[0] != '\0') {
        order_say(order, _("Looked at: the last %d lines there."), STORAGE_CHAT_LOOKED);
    }
}

const struct mod_command mod_command_log = {
    .parts = {PART_WORD},
    .flags = MOD_READS,
    .options = {"since", "text", "max", "scope"},
    .run = log_run,
};
