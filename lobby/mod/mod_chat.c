#include "lobby/chat/channel_rules.h"

#include "lobby/chat/channels.h"
#include "lobby/chat/chat.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/mod_case.h"
#include "lobby/persons/names.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/mod_command.h"
#include "lobby/tables/tables.h"
#include "storage/mod/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDE_MAX 50 /* maximum number of lines that one command hides */
/* the longest pause of slow mode, in seconds; /freeze stops a chat altogether */
#define SLOW_MAX_S 3600
#define LOG_SHOWN 50

/* Parses the order's word as the name of a chat; refuses the order when the name is unknown.
 * Returns a chat line without text, said by the house in that chat. */
static struct storage_chat parse_chat_place(struct order *order)
{
    struct storage_chat line = {.kind = STORAGE_CHAT_SYSTEM, .at_ms = order->house->now_ms};
    const char *word = order->word;
    bool is_table = word[0] == '#' && word[1] != '\0' && strlen(word) < PLACE_SIZE &&
                    strspn(word + 1, "0123456789") == strlen(word + 1);
    if (is_table) {
        line.channel = STORAGE_CHAT_TABLE;
        line.table = order->table_id = strtoll(word + 1, NULL, 10);
    } else if (channels_is_valid_name(word)) {
        line.channel = STORAGE_CHAT_CHANNEL;
        (void)snprintf(line.to, sizeof(line.to), "%s", word);
    } else if (strcmp(word, "lobby") != 0) {
        order_refuse(order, "unknown",
                     _("There is no chat %s: lobby, a channel like #tea, or a table like #7."),
                     word);
    }
    order->target.kind = TARGET_CHAT;
    order->target.id = line.table;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", word);
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", word);
    return line;
}

/* Parses the name of a chat for which the rule can be set: either the chat exists, or the rule is
 * already set for it. */
static struct storage_chat parse_existing_chat(struct order *order, enum storage_rule rule)
{
    struct storage_chat line = parse_chat_place(order);
    struct house *house = order->house;
    int64_t value = 0;
    stored_or_fail(house, storage_rule_read(house->storage, rule, order->target.name, &value));
    if (order->code != NULL || value != 0) {
        return line;
    }
    if (line.channel == STORAGE_CHAT_TABLE && table_find(house, line.table) == NULL) {
        order_refuse(order, "unknown", _("Table %s is closed, or never was."), order->word);
    } else if (line.channel == STORAGE_CHAT_CHANNEL && !channels_exists(house, line.to)) {
        order_refuse(order, "unknown",
                     _("Nobody is in a channel %s: /channels lists those there are."), order->word);
    }
    return line;
}

/* Says the sentence in the chat, and adds it to the answer. At a closed table nobody is told. */
static void announce_in_chat(struct order *order, struct storage_chat *line, json_t *sentence)
{
    const struct table *table = table_find(order->house, line->table);
    bool is_there = line->channel != STORAGE_CHAT_TABLE || table != NULL;
    chat_set_sentence(line, json_incref(sentence));
    if (is_there && chat_store_line(order->house, line)) {
        chat_send_line(order->house, line, table);
    }
    order_add_sentence(order, sentence);
}

/* Sets the rule for the chat, and records who set it. The value 0 removes the rule and the
 * record. */
static void set_chat_rule(struct order *order, const char *channel, enum storage_rule rule,
                          int64_t value)
{
    enum storage_decision_kind kind =
        rule == STORAGE_RULE_SLOW ? STORAGE_DECISION_SLOW : STORAGE_DECISION_FROZEN;
    stored_or_fail(order->house, storage_rule_set(order->house->storage, rule, channel, value));
    if (value == 0) {
        decision_remove(order->house, kind, channel);
    } else {
        decision_store(order, kind, channel);
    }
}

void mod_run_slow(struct order *order)
{
    char channel[PLACE_SIZE];
    struct storage_chat line = parse_existing_chat(order, STORAGE_RULE_SLOW);
    if (order->code == NULL && order->number > SLOW_MAX_S) {
        order_refuse(order, "bad", _("At most %d seconds; /freeze silences a chat."), SLOW_MAX_S);
    }
    chat_write_name_of_line(&line, channel);
    if (order->code != NULL || !decision_may_be_changed(order, STORAGE_DECISION_SLOW, channel)) {
        return;
    }
    set_chat_rule(order, channel, STORAGE_RULE_SLOW, order->number);
    if (order->number == 0) {
        announce_in_chat(order, &line, say(_("This chat is no longer slowed down.")));
    } else {
        announce_in_chat(
            order, &line,
            say(_("This chat is slowed down: everybody may say one line every %lld s."),
                (long long)order->number));
    }
}

void mod_run_freeze(struct order *order)
{
    char channel[PLACE_SIZE];
    bool is_on = strcmp(order->reason, "on") == 0;
    struct storage_chat line = parse_existing_chat(order, STORAGE_RULE_FROZEN);
    if (order->code == NULL && !is_on && strcmp(order->reason, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
    }
    chat_write_name_of_line(&line, channel);
    if (order->code != NULL || !decision_may_be_changed(order, STORAGE_DECISION_FROZEN, channel)) {
        return;
    }
    set_chat_rule(order, channel, STORAGE_RULE_FROZEN, is_on);
    announce_in_chat(order, &line,
                     say(is_on ? _("This chat is silenced for a while: only staff talk here.")
                               : _("This chat is open again.")));
}

struct hiding {
    struct storage_chat lines[HIDE_MAX];
    size_t count;
};

static bool append_line_to_hide(void *context, const struct storage_chat *line)
{
    struct hiding *hiding = context;
    hiding->lines[hiding->count++] = *line;
    return hiding->count < HIDE_MAX;
}

/* Refuses to hide the lines of somebody of the same or a higher rank. People may hide their own
 * lines. */
static void refuse_unless_may_hide_line(struct order *order, const struct storage_chat *line)
{
    struct storage_account account;
    if (line->account == 0 || line->account == order_requester_account(order) ||
        !stored(order->house,
                storage_account_by_id(order->house->storage, line->account, &account))) {
        return;
    }
    enum rank rank = rank_of_role(account.role);
    if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     account.name);
    }
}

static void find_lines_to_hide(struct order *order, struct hiding *hiding)
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
        stored_or_fail(house, storage_chat_search_account(house->storage, &search,
                                                          append_line_to_hide, hiding));
    } else if (name_is_for_guests(order->word)) {
        search.guest = order->word;
        (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
        stored_or_fail(house, storage_chat_search_account(house->storage, &search,
                                                          append_line_to_hide, hiding));
    }
    if (hiding->count == 1 && hiding->lines[0].is_hidden) {
        order_refuse(order, "bad", _("That line is hidden already."));
    } else if (hiding->count > 0) {
        refuse_unless_may_hide_line(order, &hiding->lines[0]);
    } else {
        order_refuse(order, "unknown",
                     _("There is no such line: /log shows the numbers of lines."));
    }
}

static void notify_author_of_hiding(struct order *order, const char *name)
{
    const struct person *person = person_find(order->house, name);
    if (person == NULL) {
        return;
    }
    person_send_notice(
        order->house, person, "warn",
        say(_("%p has hidden what you said: %s · To appeal, write /report %s other and why."),
            order_requester_sentence_argument(order), order->reason, order_requester_name(order)));
}

void mod_run_hide(struct order *order)
{
    struct house *house = order->house;
    struct hiding hiding = {.count = 0};
    find_lines_to_hide(order, &hiding);
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
    chat_hide_lines(house, numbers);
    notify_author_of_hiding(order, hiding.lines[0].from);
    order_add_line(order, _("Hidden: %zu."), hiding.count);
}

static bool parse_chat_search(struct order *order, struct storage_chat_search *search)
{
    const char *text = order_option_value(order, "text");
    const char *scope = order_option_value(order, "scope");
    int64_t most = order_option_number(order, "max", LOG_SHOWN);
    if (scope != NULL && strcmp(scope, "pm") != 0) {
        order_refuse(order, "bad", _("There is no scope %s here: only pm."), scope);
    }
    *search = (struct storage_chat_search){
        .text = text == NULL ? "" : text,
        .to = "",
        .is_private = scope != NULL,
        .since_ms = order_option_since(order),
        .most = most < CASE_LINES_MAX ? (size_t)most : CASE_LINES_MAX,
    };
    return order->code == NULL;
}

void mod_run_log(struct order *order)
{
    struct house *house = order->house;
    struct storage_chat_search search;
    struct storage_account account;
    bool is_place = order->word[0] == '#' || strcmp(order->word, "lobby") == 0;
    if (!parse_chat_search(order, &search)) {
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (is_place) {
        const struct storage_chat line = parse_chat_place(order);
        if (order->code != NULL) {
            return;
        }
        search.to = line.to;
        stored_or_fail(house,
                       storage_chat_search_channel(house->storage, line.channel, line.table,
                                                   &search, case_add_chat_line_to_answer, order));
    } else if (stored(house, storage_account_by_name(house->storage, order->word, &account))) {
        search.account = account.id;
        stored_or_fail(house, storage_chat_search_account(house->storage, &search,
                                                          case_add_chat_line_to_answer, order));
    } else if (name_is_for_guests(order->word)) {
        search.guest = order->word;
        stored_or_fail(house, storage_chat_search_account(house->storage, &search,
                                                          case_add_chat_line_to_answer, order));
    } else {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), order->word);
    }
    if (order->code == NULL && json_array_size(order->lines) == 0) {
        order_add_line(order, _("No chat line matches."));
    }
    if (order->code == NULL && search.text[0] != '\0') {
        order_add_line(order, _("Only the last %d lines there were searched."),
                       STORAGE_CHAT_LOOKED);
    }
}
