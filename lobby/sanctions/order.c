#include "lobby/sanctions/order.h"

#include "lobby/house/say.h"
#include "lobby/sanctions/mod_command.h"
#include "lobby/sanctions/staff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
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

#define TIME_MAX_MS (3650 * DAY_MS) /* whoever means longer means "perm" */

bool order_time_read(const char *word, int64_t *ms)
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

void order_span(int64_t ms, char out[ORDER_SPAN_SIZE])
{
    int64_t s = ms / SECOND_MS;
    if (ms == ORDER_FOR_GOOD) {
        (void)snprintf(out, ORDER_SPAN_SIZE, "%s", _("for good"));
    } else if (s >= 172800 && s % 86400 == 0) {
        (void)snprintf(out, ORDER_SPAN_SIZE, _("%lld days"), (long long)(s / 86400));
    } else if (s >= 7200 && s % 3600 == 0) {
        (void)snprintf(out, ORDER_SPAN_SIZE, _("%lld hours"), (long long)(s / 3600));
    } else if (s >= 120 && s % 60 == 0) {
        (void)snprintf(out, ORDER_SPAN_SIZE, _("%lld minutes"), (long long)(s / 60));
    } else {
        (void)snprintf(out, ORDER_SPAN_SIZE, _("%lld seconds"), (long long)s);
    }
}

void order_moment(int64_t unix_ms, char out[ORDER_MOMENT_SIZE])
{
    struct tm utc;
    time_t seconds = (time_t)(unix_ms / SECOND_MS);
    if (unix_ms == STORAGE_SANCTION_FOR_GOOD) {
        (void)snprintf(out, ORDER_MOMENT_SIZE, "%s", _("for good"));
    } else if (gmtime_r(&seconds, &utc) == NULL ||
               strftime(out, ORDER_MOMENT_SIZE, "%Y-%m-%d %H:%M UTC", &utc) == 0) {
        out[0] = '\0';
    }
}

void order_until(int64_t unix_ms, char out[ORDER_UNTIL_SIZE])
{
    char moment[ORDER_MOMENT_SIZE];
    order_moment(unix_ms, moment);
    (void)snprintf(out, ORDER_UNTIL_SIZE,
                   unix_ms == STORAGE_SANCTION_FOR_GOOD ? "%s" : _("until %s"), moment);
}

enum rank rank_of_role(enum storage_role role)
{
    switch (role) {
    case STORAGE_ROLE_ADMIN:
        return RANK_ADMIN;
    case STORAGE_ROLE_MOD:
        return RANK_MOD;
    case STORAGE_ROLE_PLAYER:
        break;
    }
    return RANK_PLAYER;
}

const char *order_actor(const struct order *order)
{
    return staff_name(order->conn);
}

int64_t order_actor_account(const struct order *order)
{
    return order->conn->person == NULL ? 0 : order->conn->person->account;
}

/* A text without arguments needs no translation data. */
__attribute__((format(printf, 2, 0))) static void order_refuse(struct order *order,
                                                               const char *format, va_list args)
{
    json_decref(order->say);
    order->say = strcmp(format, "%s") == 0 ? NULL : say_parts(format, args);
    (void)vsnprintf(order->why, sizeof(order->why), format, args);
}

bool order_is_denied(const struct order *order)
{
    static const char *const codes[] = {"role", "self", NULL};
    return text_find(codes, order->code) >= 0;
}

void order_no(struct order *order, const char *code, const char *format, ...)
{
    va_list args;
    if (order->code != NULL) {
        return;
    }
    order->code = code;
    va_start(args, format);
    order_refuse(order, format, args);
    va_end(args);
}

void order_say(struct order *order, const char *format, ...)
{
    char text[2 * WORDS_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    (void)json_array_append_new(order->lines, text_clean_json(text));
}

bool order_confirmed(struct order *order, const char *format, ...)
{
    va_list args;
    if (order->is_confirmed) {
        return true;
    }
    if (order->code == NULL) {
        order_no(order, "confirm", "%s", "");
        va_start(args, format);
        order_refuse(order, format, args);
        va_end(args);
    }
    return false;
}

static int option_index(const struct mod_command *command, const char *key, size_t len)
{
    for (int i = 0; i < ORDER_OPTIONS_MAX && command->options[i] != NULL; i++) {
        if (strncmp(command->options[i], key, len) == 0 && command->options[i][len] == '\0') {
            return i;
        }
    }
    return -1;
}

const char *order_option(const struct order *order, const char *key)
{
    int i = option_index(order->command, key, strlen(key));
    return i < 0 || order->options[i][0] == '\0' ? NULL : order->options[i];
}

int64_t order_option_number(struct order *order, const char *key, int64_t fallback)
{
    const char *text = order_option(order, key);
    char *end = NULL;
    if (text == NULL) {
        return fallback;
    }
    long long number = strtoll(text, &end, 10);
    if (*end != '\0' || number < 0) {
        order_no(order, "bad", _("%s= wants a number: you wrote \"%s\"."), key, text);
        return fallback;
    }
    return number;
}
