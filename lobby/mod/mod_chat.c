#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDE_MAX 500 /* maximum number of lines that one command hides or shows again */
#define HIDE_ASKS 20 /* so many lines require a confirmation */
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
        table_send_line(order->house, line, table);
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

/* What an order hides or shows again. */
struct hiding {
    struct order *order;
    bool shows;     /* the order shows lines again */
    bool by_source; /* only lines of people from `net` or with `ban` and its sources are meant */
    bool has_net;
    struct net net;
    struct storage_sanction ban;
    const struct sources *sources; /* of the ban; NULL: none */
    bool is_older; /* the speaker's account is older than the ban, which then follows keys only */
    bool is_met;   /* result of the check of a speaker's addresses and keys */
    json_t *speakers; /* for each speaker who was checked, whether they are meant */
    size_t most, count;
    size_t kept; /* lines that the requester may not hide or show; somebody who said one: */
    char superior[STORAGE_NAME_SIZE];
    struct {
        int64_t number;
        char from[STORAGE_NAME_SIZE];
    } lines[HIDE_MAX]; /* newest first */
};

static void check_address_and_key(struct hiding *hiding, const char *address, const char *key)
{
    bool is_banned_key = key[0] != '\0' && strcmp(hiding->ban.fingerprint, key) == 0;
    hiding->is_met = hiding->is_met || is_banned_key ||
                     (hiding->has_net && net_contains(&hiding->net, address)) ||
                     person_sources_have(hiding->sources, hiding->is_older ? "" : address, key);
}

static bool check_sign_in(void *context, const struct storage_sign_in *row)
{
    struct hiding *hiding = context;
    check_address_and_key(hiding, row->address, row->fingerprint);
    return !hiding->is_met;
}

/* Whether the order means the lines of this speaker. */
static bool speaker_is_meant(struct hiding *hiding, const struct storage_chat *line)
{
    struct house *house = hiding->order->house;
    struct storage_guest guest;
    struct storage_account account;
    const json_t *known = json_object_get(hiding->speakers, line->from);
    if (!hiding->by_source || known != NULL) {
        return known == NULL || json_is_true(known);
    }
    hiding->is_met = line->account == hiding->ban.account &&
                     (line->account != 0 || strcmp(line->from, hiding->ban.name) == 0);
    hiding->is_older =
        line->account != 0 &&
        stored(house, storage_account_by_id(house->storage, line->account, &account)) &&
        account.created_ms <= hiding->ban.since_ms;
    if (line->account != 0) {
        stored_or_fail(house, storage_sign_ins_by_account(house->storage, line->account,
                                                          check_sign_in, hiding));
    } else if (guests_find(house, line->from, &guest)) {
        check_address_and_key(hiding, guest.address, guest.fingerprint);
    }
    (void)json_object_set_new(hiding->speakers, line->from, json_boolean(hiding->is_met));
    return hiding->is_met;
}

/* Whether the requester may hide the line or show it again: not if it was said or hidden by
 * somebody of a higher role, or said by another of the same. */
static bool may_hide_or_show(struct order *order, const struct storage_chat *line, bool shows)
{
    struct storage_account account;
    if (shows) {
        return line->hidden_by <= (uint8_t)order->rank;
    }
    if (line->account == 0 || line->account == order_requester_account(order) ||
        !stored(order->house,
                storage_account_by_id(order->house->storage, line->account, &account))) {
        return true;
    }
    enum rank rank = rank_of_role(account.role);
    return rank < RANK_MOD || rank < order->rank;
}

/* False for a line of the house, or one whose words were erased. */
static bool line_has_words(const struct storage_chat *line)
{
    return line->from[0] != '\0' && line->text[0] != '\0';
}

/* Lists the line if the order hides it or shows it again; false when no more are wanted. */
static bool append_meant_line(void *context, const struct storage_chat *line)
{
    struct hiding *hiding = context;
    if (hiding->count == hiding->most) {
        return false;
    }
    if (!line_has_words(line) || line->is_hidden != hiding->shows ||
        !speaker_is_meant(hiding, line)) {
        return true;
    }
    if (!may_hide_or_show(hiding->order, line, hiding->shows)) {
        hiding->kept++;
        (void)snprintf(hiding->superior, STORAGE_NAME_SIZE, "%s", line->from);
        return true;
    }
    hiding->lines[hiding->count].number = line->number;
    (void)snprintf(hiding->lines[hiding->count++].from, STORAGE_NAME_SIZE, "%s", line->from);
    return true;
}

static void refuse_without_lines(struct hiding *hiding)
{
    struct order *order = hiding->order;
    if (hiding->kept == 0) {
        order_refuse(order, "unknown",
                     _("There is no such line: /log shows the numbers of lines."));
    } else if (hiding->shows) {
        order_refuse(order, "role", _("Somebody of a higher role has hidden that: ask them."));
    } else {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     hiding->superior);
    }
}

/* Parses ip=NET or ban=NUMBER, which mean the lines of everybody from there, or of everybody to
 * whom the ban applies. */
static void parse_source_to_hide(struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    const char *word = order->word;
    bool is_ban = strncmp(word, "ban=", 4) == 0;
    hiding->by_source = true;
    if (is_ban && (!stored(house, storage_sanction_read(house->storage, strtoll(word + 4, NULL, 10),
                                                        &hiding->ban)) ||
                   hiding->ban.kind != STORAGE_SANCTION_BAN)) {
        order_refuse(order, "unknown", _("No ban has that number: see /banlist."));
        return;
    }
    const char *net = is_ban ? hiding->ban.address : word + 3;
    const struct sanction *in_force = sanction_find(house, hiding->ban.id);
    hiding->sources = in_force == NULL ? NULL : in_force->sources;
    hiding->has_net = net[0] != '\0' && net_parse(net, &hiding->net);
    if (!is_ban && !hiding->has_net) {
        order_refuse(order, "bad", _("%s is not an address."), net);
    }
}

#define GUESTS_PREFIX "guest-"

/* Returns true if only guests may have names of this form. */
static bool name_is_for_guests(const char *name)
{
    return strncmp(name, GUESTS_PREFIX, strlen(GUESTS_PREFIX)) == 0;
}

/* Finds the account or the guest of this name, whose lines are to be searched. */
static bool find_speaker(struct house *house, const char *name, struct storage_chat_search *search)
{
    struct storage_account account;
    if (stored(house, storage_account_by_name(house->storage, name, &account))) {
        search->account = account.id;
        return true;
    }
    search->guest = name_is_for_guests(name) ? name : NULL;
    return search->guest != NULL;
}

/* Finds the lines that the order means. */
static void find_lines(struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    struct storage_chat line;
    const char *word = order->word;
    struct storage_chat_search search = {
        .text = "", .to = "", .most = STORAGE_CHAT_LOOKED, .since_ms = order_option_since(order)};
    if (word[0] >= '0' && word[0] <= '9') {
        if (!stored(house, storage_chat_read(house->storage, strtoll(word, NULL, 10), &line))) {
            return;
        }
        if (line_has_words(&line) && line.is_hidden != hiding->shows) {
            order_refuse(order, "bad",
                         hiding->shows ? _("That line is not hidden.")
                                       : _("That line is hidden already."));
        }
        (void)append_meant_line(hiding, &line);
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", word);
    if (word[0] == '#' || strcmp(word, "lobby") == 0) {
        line = parse_chat_place(order);
        search.to = line.to;
        stored_or_fail(house, storage_chat_search_channel(house->storage, line.channel, line.table,
                                                          &search, append_meant_line, hiding));
        return;
    }
    if (strncmp(word, "ip=", 3) == 0 || strncmp(word, "ban=", 4) == 0) {
        parse_source_to_hide(hiding);
    } else if (!find_speaker(house, word, &search) && strcmp(word, "all") != 0) {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), word);
    }
    if (order->code == NULL) {
        stored_or_fail(
            house, storage_chat_search_account(house->storage, &search, append_meant_line, hiding));
    }
}

/* How many lines the order may hide or show again. Without a count or a time, it is one of a
 * person. */
static size_t read_most_lines(struct order *order)
{
    bool is_person = order->word[0] != '#' && strchr(order->word, '=') == NULL &&
                     strcmp(order->word, "lobby") != 0 && strcmp(order->word, "all") != 0;
    bool has_bounds = order->has_number || order_option_value(order, "since") != NULL;
    if (!is_person && !has_bounds) {
        order_refuse(order, "bad", _("Say how many lines, or since when: 20, or since=15m."));
    }
    int64_t most = order->has_number ? order->number : has_bounds ? HIDE_MAX : 1;
    return most < HIDE_MAX ? (size_t)most : HIDE_MAX;
}

/* Tells everybody who said one of the lines. */
static void notify_authors(const struct hiding *hiding)
{
    struct order *order = hiding->order;
    json_t *names = json_object();
    const char *name = NULL;
    json_t *unused = NULL;
    for (size_t i = 0; i < hiding->count; i++) {
        (void)json_object_set_new(names, hiding->lines[i].from, json_true());
    }
    json_object_foreach(names, name, unused)
    {
        const struct person *person = person_find(order->house, name);
        void *by = order_requester_sentence_argument(order);
        json_t *told =
            hiding->shows
                ? say(_("%p has shown again what you said: %s"), by, order->reason)
                : say(_("%p has hidden what you said: %s · To appeal, write /report %s other and "
                        "why."),
                      by, order->reason, order_requester_name(order));
        if (person != NULL) {
            person_send_notice(order->house, person, "warn", json_incref(told));
        }
        json_decref(told);
    }
    json_decref(names);
}

/* Sends a line again to those who read its chat. */
static void send_line_again(struct house *house, int64_t number)
{
    struct storage_chat line;
    if (!stored(house, storage_chat_read(house->storage, number, &line))) {
        return;
    }
    const struct table *table = table_find(house, line.table);
    if (line.channel != STORAGE_CHAT_TABLE || table != NULL) {
        table_send_line(house, &line, table);
    }
}

static void hide_or_show_lines(const struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    json_t *numbers = json_array();
    order->line_last = hiding->lines[0].number;
    order->line_first = hiding->lines[hiding->count - 1].number;
    for (size_t i = 0; i < hiding->count; i++) {
        int64_t number = hiding->lines[i].number;
        stored_or_fail(house,
                       storage_chat_hide(house->storage, number, hiding->shows ? 0 : house->now_ms,
                                         hiding->shows ? 0 : (uint8_t)order->rank));
        (void)json_array_append_new(numbers, json_integer(number));
        if (hiding->shows) {
            send_line_again(house, number);
        }
    }
    order->after = json_pack("{s:O}", hiding->shows ? "shown" : "hidden", numbers);
    if (hiding->shows) {
        json_decref(numbers);
    } else {
        chat_hide_lines(house, numbers);
    }
    notify_authors(hiding);
    order_add_line(order, hiding->shows ? _("Shown again: %zu.") : _("Hidden: %zu."),
                   hiding->count);
    if (hiding->kept > 0) {
        order_add_line(order, _("Left as they are, for somebody of a higher role: %zu."),
                       hiding->kept);
    }
}

void mod_run_hide(struct order *order)
{
    struct hiding *hiding = memory_new(sizeof(*hiding));
    hiding->order = order;
    hiding->most = read_most_lines(order);
    hiding->shows = order->command->kind != 0;
    hiding->speakers = json_object();
    if (order->code == NULL) {
        find_lines(hiding);
    }
    if (order->code == NULL && hiding->count == 0) {
        refuse_without_lines(hiding);
    }
    if (order->code == NULL &&
        (hiding->count < HIDE_ASKS ||
         order_require_confirmation(order, say(hiding->shows
                                                   ? _("That shows %zu lines again. Are you sure?")
                                                   : _("That hides %zu lines. Are you sure?"),
                                               hiding->count)))) {
        hide_or_show_lines(hiding);
    }
    json_decref(hiding->speakers);
    free(hiding);
}

static bool parse_chat_search(struct order *order, struct storage_chat_search *search)
{
    const char *text = order_option_value(order, "text");
    int64_t most = order_option_number(order, "max", LOG_SHOWN);
    *search = (struct storage_chat_search){
        .text = text == NULL ? "" : text,
        .to = "",
        .since_ms = order_option_since(order),
        .most = most < CASE_LINES_MAX ? (size_t)most : CASE_LINES_MAX,
    };
    return order->code == NULL;
}

void mod_run_log(struct order *order)
{
    struct house *house = order->house;
    struct storage_chat_search search;
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
    } else if (find_speaker(house, order->word, &search)) {
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
