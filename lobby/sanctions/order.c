#include "lobby/sanctions/sanctions.h"

#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_MS INT64_C(1000)
#define DAY_MS INT64_C(86400000)

static const struct unit {
    char letter;
    int64_t ms;
} units[] = {
    {'s', SECOND_MS},         {'m', 60 * SECOND_MS}, {'h', 3600 * SECOND_MS},
    {'d', 86400 * SECOND_MS}, {'w', 7 * DAY_MS},
};

/* the longest duration that people can give as a number; "perm" is longer */
#define TIME_MAX_MS (3650 * DAY_MS)

bool order_parse_duration(const char *word, int64_t *ms)
{
    char *end = NULL;
    if (strcmp(word, "perm") == 0) {
        *ms = ORDER_FOR_GOOD;
        return true;
    }
    if (word[0] < '0' || word[0] > '9') {
        return false;
    }
    long long count = strtoll(word, &end, 10);
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (end[0] == units[i].letter && end[1] == '\0') {
            *ms = count <= TIME_MAX_MS / units[i].ms ? count * units[i].ms : 0;
            return *ms > 0;
        }
    }
    return false;
}

enum rank rank_of_role(enum storage_role role)
{
    static const enum rank ranks[] = {
        [STORAGE_ROLE_PLAYER] = RANK_PLAYER,
        [STORAGE_ROLE_MOD] = RANK_MOD,
        [STORAGE_ROLE_ADMIN] = RANK_ADMIN,
    };
    static_assert(ARRAY_LEN(ranks) == STORED_LAST(STORED_ROLES) + 1, "every role needs a rank");
    return ranks[role];
}

const char *order_requester_name(const struct order *order)
{
    return staff_name_of_conn(order->conn);
}

void *order_requester_sentence_argument(const struct order *order)
{
    return say_word_argument(order_requester_name(order));
}

void *order_key_sentence_argument(const char *fingerprint)
{
    return say_word_argument(fingerprint[0] == '\0' ? _("no key") : fingerprint);
}

int64_t order_requester_account(const struct order *order)
{
    return order->conn->person == NULL ? 0 : order->conn->person->account;
}

static void refuse_with_sentence(struct order *order, const char *code, json_t *why)
{
    if (order->code != NULL) {
        json_decref(why);
        return;
    }
    order->code = code;
    order->why = why;
}

bool order_is_denied(const struct order *order)
{
    static const char *const codes[] = {"role", "self", NULL};
    return text_find_word(codes, order->code) >= 0;
}

void order_refuse(struct order *order, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse_with_sentence(order, code, say_with_args(format, args));
    va_end(args);
}

void order_add_sentence(struct order *order, json_t *sentence)
{
    char text[SAY_TEXT_SIZE];
    json_t *sent = say_sentence_if_has_arguments(sentence);
    say_write_english(sentence, text, sizeof(text));
    (void)json_array_append_new(order->lines, json_string(text));
    (void)json_array_append_new(order->says, sent == NULL ? json_null() : json_incref(sent));
    json_decref(sentence);
}

void order_add_line(struct order *order, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    order_add_sentence(order, say_with_args(format, args));
    va_end(args);
}

bool order_require_confirmation(struct order *order, json_t *question)
{
    if (order->is_confirmed) {
        json_decref(question);
    } else {
        refuse_with_sentence(order, "confirm", question);
    }
    return order->is_confirmed;
}

int order_find_option(const struct mod_command *command, const char *key, size_t len)
{
    for (int i = 0; i < ORDER_OPTIONS_MAX && command->options[i] != NULL; i++) {
        if (strncmp(command->options[i], key, len) == 0 && command->options[i][len] == '\0') {
            return i;
        }
    }
    return -1;
}

const char *order_option_value(const struct order *order, const char *key)
{
    int i = order_find_option(order->command, key, strlen(key));
    return i < 0 || order->options[i][0] == '\0' ? NULL : order->options[i];
}

int64_t order_option_number(struct order *order, const char *key, int64_t fallback)
{
    const char *text = order_option_value(order, key);
    char *end = NULL;
    if (text == NULL) {
        return fallback;
    }
    long long number = strtoll(text, &end, 10);
    if (*end != '\0' || number < 0) {
        order_refuse(order, "bad", _("%s= needs a number: you typed \"%s\"."), key, text);
        return fallback;
    }
    return number;
}

int64_t order_option_since(struct order *order)
{
    int64_t span_ms = 0;
    const char *since = order_option_value(order, "since");
    if (since != NULL && (!order_parse_duration(since, &span_ms) || span_ms < 0)) {
        order_refuse(order, "bad", _("since= needs a time like 12h or 7d."));
    }
    return since == NULL ? 0 : order->house->now_ms - span_ms;
}
