#include "lobby/mod/mod.h"

#include "lobby/accounts/accounts.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/accounts/accounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the line that was not read yet. */
struct reader {
    struct order *order;
    const char *rest;
};

static void refuse_with_usage(struct order *order, const char *problem)
{
    order_refuse(order, "bad", _("%s Usage: /%s %s"), problem, order->words->name,
                 _(order->words->args));
}

static void skip_blanks(struct reader *reader)
{
    while (*reader->rest == ' ') {
        reader->rest++;
    }
}

/* Copies the next word without moving past it; false at the end of the line, or when the word is
 * too long. */
static bool peek_word(struct reader *reader, char word[STORAGE_FINGERPRINT_SIZE], size_t *len)
{
    skip_blanks(reader);
    *len = strcspn(reader->rest, " ");
    if (*len == 0 || *len >= STORAGE_FINGERPRINT_SIZE) {
        return false;
    }
    memcpy(word, reader->rest, *len);
    word[*len] = '\0';
    return true;
}

/* The length of the key when the word looks like an option, key=value; otherwise 0. */
static size_t option_key_len(const char *word)
{
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    return word[len] == '=' ? len : 0;
}

static void store_option(struct order *order, int at, const char *key, const char *value)
{
    if (value[0] == '\0') {
        order_refuse(order, "bad", _("The value after %s= is missing."), key);
    } else if (order->options[at][0] != '\0') {
        order_refuse(order, "bad", _("%s= stands there twice."), key);
    } else {
        (void)snprintf(order->options[at], sizeof(order->options[at]), "%s", value);
    }
}

/* Reads the key=value words that the command knows. They may stand between any parts of the
 * line. */
static void read_options(struct reader *reader)
{
    struct order *order = reader->order;
    char word[STORAGE_FINGERPRINT_SIZE];
    size_t len;
    while (order->code == NULL && peek_word(reader, word, &len)) {
        size_t key = option_key_len(word);
        int at = key == 0 ? -1 : order_find_option(order->command, word, key);
        if (at < 0) {
            return;
        }
        store_option(order, at, order->command->options[at], word + key + 1);
        reader->rest += len;
    }
}

/* Refuses a reason with a word that looks like an option: a mistyped option, or one after the first
 * word of the reason, would have no effect. For a command without options, only the first word of
 * the reason counts. */
static void refuse_option_in_reason(struct order *order)
{
    bool has_options = order->command->options[0] != NULL;
    char key[STORAGE_FINGERPRINT_SIZE];
    const char *word = order->reason;
    while (*word != '\0' && (has_options || word == order->reason)) {
        size_t len = option_key_len(word);
        (void)snprintf(key, sizeof(key), "%.*s", (int)len, word);
        if (len > 0 && order_find_option(order->command, word, len) >= 0) {
            order_refuse(order, "bad", _("Options such as %s= stand before the reason."), key);
        } else if (len > 0) {
            order_refuse(order, "bad", _("There is no option %s=. Usage: /%s %p"), key,
                         order->words->name, say_word_argument(order->words->args));
        }
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
}

/* Finds the account of that name. Commands that change nothing also find an account by its former
 * names. */
static bool find_account(struct order *order, struct order_target *target, const char *name)
{
    struct house *house = order->house;
    struct storage_former_name former;
    if (stored(house, storage_account_by_name(house->storage, name, &target->account))) {
        return true;
    }
    return (order->command->flags & MOD_READS) != 0 &&
           stored(house, storage_former_name_find(house->storage, name, &former)) &&
           stored(house, storage_account_by_id(house->storage, former.account, &target->account));
}

/* Finds a guest who is in the house, was in it within a day, or has a sanction in force against
 * them. */
static bool find_guest(struct house *house, struct order_target *target, const char *name)
{
    struct sanction_list list = {.kinds = STORAGE_SANCTION_ALL};
    if (guests_find(house, name, &target->guest)) {
        return true;
    }
    target->guest = (struct storage_guest){.seen_ms = 0};
    stored_or_fail(
        house, storage_sanctions_list_on_person(house->storage, 0, name, sanction_list_add, &list));
    return list.count > 0;
}

static void read_person_target(struct order *order, struct order_target *target, const char *word)
{
    unsigned kinds = order->command->targets;
    char name[STORAGE_FINGERPRINT_SIZE];
    (void)snprintf(name, sizeof(name), "%s", word);
    name_to_lower(name);
    target->person = person_find(order->house, name);
    (void)snprintf(target->name, sizeof(target->name), "%s", name);
    if (find_account(order, target, name)) {
        target->kind = TARGET_USER;
        target->id = target->account.id;
        target->person = person_find(order->house, target->account.name);
        (void)snprintf(target->name, sizeof(target->name), "%s", target->account.name);
        if (target->account.is_closed && (order->command->flags & MOD_OPEN) != 0) {
            order_refuse(
                order, "closed",
                _("The account %s was deleted or merged into another: it is closed for good."),
                target->name);
        }
    } else if (!find_guest(order->house, target, name)) {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), name);
    } else if ((kinds & TARGET_GUEST) != 0) {
        target->kind = TARGET_GUEST;
    } else {
        order_refuse(order, "guest", _("%s is a guest and has no account."), name);
    }
}

static void read_number_target(struct order *order, struct order_target *target, const char *word,
                               enum order_kind kind)
{
    char *end = NULL;
    long long id = strtoll(word + 1, &end, 10);
    (void)snprintf(target->name, sizeof(target->name), "%s", word);
    target->kind = kind;
    target->id = id;
    target->table = kind == TARGET_TABLE ? table_find(order->house, id) : NULL;
    if (end == word + 1 || *end != '\0' || id < 1) {
        order_refuse(order, "unknown", _("%s is not the number of a table or a game."), word);
    } else if (kind == TARGET_TABLE && target->table == NULL) {
        order_refuse(order, "unknown", _("Table %s is closed, or never was."), word);
    }
}

static void read_address(struct order *order, struct order_target *target, const char *text)
{
    struct net net;
    target->kind = TARGET_ADDRESS;
    if (!net_parse(text, &net)) {
        order_refuse(order, "bad",
                     _("%s is not an address or a network: write 192.0.2.7 or 2001:db8::/48."),
                     text);
        return;
    }
    net_format(&net, target->name);
}

static void read_target(struct order *order, struct order_target *target, const char *word,
                        unsigned kinds)
{
    if (word[0] == '#' && (kinds & TARGET_TABLE) != 0) {
        read_number_target(order, target, word, TARGET_TABLE);
    } else if (word[0] == '@' && (kinds & TARGET_GAME) != 0) {
        read_number_target(order, target, word, TARGET_GAME);
    } else if (strncmp(word, "ip=", 3) == 0 && (kinds & TARGET_ADDRESS) != 0) {
        read_address(order, target, word + 3);
    } else if (strncmp(word, "key=SHA256:", 11) == 0 && (kinds & TARGET_KEY) != 0) {
        target->kind = TARGET_KEY;
        (void)snprintf(target->name, sizeof(target->name), "%s", word + 4);
    } else if ((kinds & TARGET_ANYBODY) != 0) {
        read_person_target(order, target, word);
    } else {
        refuse_with_usage(order, _("The command does not work on this kind of target."));
    }
}

/* Reads the rest of the line: the reason and, after " // ", the private note. */
static void read_reason(struct reader *reader, bool is_required)
{
    struct order *order = reader->order;
    skip_blanks(reader);
    const char *note =
        strncmp(reader->rest, "//", 2) == 0 ? reader->rest : strstr(reader->rest, " //");
    size_t len = note == NULL ? strlen(reader->rest) : (size_t)(note - reader->rest);
    while (len > 0 && reader->rest[len - 1] == ' ') {
        len--;
    }
    memcpy(order->reason, reader->rest, len);
    order->reason[len] = '\0';
    if (note != NULL) {
        note += strspn(note, " /");
        (void)snprintf(order->note, sizeof(order->note), "%s", note);
    }
    refuse_option_in_reason(order);
    if (is_required && len == 0) {
        order_refuse(order, "reason", _("Say why: the reason is shown to the people concerned."));
    }
    reader->rest += strlen(reader->rest);
}

static void read_text(struct reader *reader, bool is_required)
{
    struct order *order = reader->order;
    skip_blanks(reader);
    (void)snprintf(order->reason, sizeof(order->reason), "%s", reader->rest);
    if (is_required && order->reason[0] == '\0') {
        refuse_with_usage(order, _("The text is missing."));
    }
    reader->rest += strlen(reader->rest);
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && strlen(word) < 18 && strspn(word, "0123456789") == strlen(word);
}

/* Reads a part of the order that is a single word. */
static void read_word_part(struct reader *reader, enum order_part part, const char *word,
                           size_t len)
{
    struct order *order = reader->order;
    if (part == PART_NUMBER_MAYBE && !is_number(word)) {
        return;
    }
    reader->rest += len;
    if (part == PART_TARGET) {
        read_target(order, &order->target, word, order->command->targets);
    } else if (part == PART_OTHER) {
        read_target(order, &order->other, word, TARGET_USER);
    } else if (part == PART_TIME) {
        if (!order_parse_duration(word, &order->duration_ms)) {
            refuse_with_usage(order, _("The time is missing: 30s, 15m, 12h, 7d, 4w or perm."));
        }
    } else if (part == PART_WORD || part == PART_WORD_MAYBE) {
        (void)snprintf(order->word, sizeof(order->word), "%s", word);
    } else if (is_number(word)) {
        order->number = strtoll(word, NULL, 10);
        order->has_number = true;
    } else {
        refuse_with_usage(order, _("A number is missing."));
    }
}

static void read_order_part(struct reader *reader, enum order_part part)
{
    char word[STORAGE_FINGERPRINT_SIZE];
    size_t len = 0;
    read_options(reader);
    if (part == PART_REASON || part == PART_REASON_MAYBE) {
        read_reason(reader, part == PART_REASON);
    } else if (part == PART_TEXT || part == PART_TEXT_MAYBE) {
        read_text(reader, part == PART_TEXT);
    } else if (peek_word(reader, word, &len)) {
        read_word_part(reader, part, word, len);
    } else if (part != PART_WORD_MAYBE && part != PART_NUMBER_MAYBE) {
        refuse_with_usage(reader->order, _("An argument is missing."));
    }
}

bool order_read_arguments(struct order *order, const char *line)
{
    struct reader reader = {order, line};
    for (size_t i = 0; i < ORDER_PARTS_MAX && order->command->parts[i] != PART_END; i++) {
        if (order->code == NULL) {
            read_order_part(&reader, order->command->parts[i]);
        }
    }
    read_options(&reader);
    skip_blanks(&reader);
    if (*reader.rest != '\0') {
        refuse_with_usage(order, _("There are too many words."));
    }
    return order->code == NULL;
}
