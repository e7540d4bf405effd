#include "lobby/protocol/clock_rule.h"

#include "lobby/protocol/json_read.h"

#include <string.h>

bool clock_rule_is_good(const struct clock_rule *rule)
{
    switch (rule->kind) {
    case CLOCK_NONE:
        return rule->time_s == 0 && rule->increment_s == 0;
    case CLOCK_MOVE:
        return rule->time_s >= CLOCK_MOVE_MIN_S && rule->time_s <= CLOCK_MOVE_MAX_S &&
               rule->increment_s == 0;
    case CLOCK_BANK:
        return rule->time_s >= CLOCK_BANK_MIN_S && rule->time_s <= CLOCK_BANK_MAX_S &&
               rule->increment_s <= CLOCK_INCREMENT_MAX_S;
    case CLOCK_DAYS:
        return rule->time_s >= CLOCK_DAY_S && rule->time_s <= CLOCK_DAYS_MAX * CLOCK_DAY_S &&
               rule->time_s % CLOCK_DAY_S == 0 && rule->increment_s == 0;
    }
    return false;
}

bool clock_rule_is_live(const struct clock_rule *rule)
{
    return rule->kind != CLOCK_DAYS;
}

bool clock_rule_is_same(const struct clock_rule *left, const struct clock_rule *right)
{
    return left->kind == right->kind && left->time_s == right->time_s &&
           left->increment_s == right->increment_s;
}

/* Seconds of a unit, 0 for none. */
static uint32_t clock_unit_s(char unit)
{
    switch (unit) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return CLOCK_DAY_S;
    default:
        return 0;
    }
}

/* Reads "5m" at *at and moves *at past it; false if there is no time. */
static bool clock_read_span(const char **at, uint32_t *seconds)
{
    const uint32_t most = CLOCK_DAYS_MAX * CLOCK_DAY_S;
    uint32_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number <= most; digit++) {
        number = 10 * number + (uint32_t)(*digit - '0');
    }
    uint32_t unit_s = clock_unit_s(*digit);
    if (digit == *at || unit_s == 0 || number > most / unit_s) {
        return false;
    }
    *seconds = number * unit_s;
    *at = digit + 1;
    return true;
}

/* "30s", "2d" or "10m+5s". */
static bool clock_read_time(const char *text, struct clock_rule *rule)
{
    const char *at = text;
    if (!clock_read_span(&at, &rule->time_s)) {
        return false;
    }
    rule->kind = rule->time_s >= CLOCK_DAY_S ? CLOCK_DAYS : CLOCK_MOVE;
    if (*at == '+') {
        at++;
        rule->kind = CLOCK_BANK;
        if (!clock_read_span(&at, &rule->increment_s)) {
            return false;
        }
    }
    return *at == '\0';
}

bool clock_rule_parse(const char *text, struct clock_rule *rule)
{
    struct clock_rule read = {.kind = CLOCK_NONE};
    bool is_none = strcmp(text, "none") == 0;
    if (!is_none && (!clock_read_time(text, &read) || !clock_rule_is_good(&read))) {
        return false;
    }
    *rule = read;
    return true;
}

static void clock_write_span(uint32_t seconds, bool has_days, struct text *out)
{
    static const char units[] = "dhms";
    for (const char *unit = has_days ? units : units + 1; *unit != '\0'; unit++) {
        uint32_t unit_s = clock_unit_s(*unit);
        /* Beside 30s and 90m, 60s and 60m read better than 1m and 1h. */
        bool is_many = *unit == 's' || *unit == 'd' || seconds / unit_s > 1;
        if (seconds % unit_s == 0 && is_many) {
            text_put_number(out, seconds / unit_s);
            text_put_char(out, *unit);
            return;
        }
    }
}

void clock_rule_write(const struct clock_rule *rule, struct text *out)
{
    if (rule->kind == CLOCK_NONE) {
        text_put(out, "none");
        return;
    }
    clock_write_span(rule->time_s, rule->kind == CLOCK_DAYS, out);
    if (rule->kind == CLOCK_BANK) {
        text_put_char(out, '+');
        clock_write_span(rule->increment_s, false, out);
    }
}

uint32_t clock_rule_seconds(const struct clock_rule *rule)
{
    return rule->time_s;
}

struct clock_rule clock_rule_of_seconds(uint32_t seconds)
{
    enum clock_kind kind = CLOCK_MOVE;
    if (seconds == 0) {
        kind = CLOCK_NONE;
    } else if (seconds % CLOCK_DAY_S == 0) {
        kind = CLOCK_DAYS;
    }
    return (struct clock_rule){.kind = kind, .time_s = seconds};
}

static const char *const kinds[] = {STORED_WORDS(STORED_CLOCK_KINDS)};

json_t *clock_rule_to_json(const struct clock_rule *rule)
{
    json_t *object = json_pack("{s:s}", "kind", kinds[rule->kind]);

    switch (rule->kind) {
    case CLOCK_MOVE:
        (void)json_object_set_new(object, "move_s", json_integer(rule->time_s));
        break;
    case CLOCK_BANK:
        (void)json_object_set_new(object, "bank_s", json_integer(rule->time_s));
        (void)json_object_set_new(object, "increment_s", json_integer(rule->increment_s));
        break;
    case CLOCK_DAYS:
        (void)json_object_set_new(object, "days", json_integer(rule->time_s / CLOCK_DAY_S));
        break;
    case CLOCK_NONE:
        break;
    }
    return object;
}

/* False if the object has no kind, or an unknown one. */
static bool read_kind(const json_t *object, enum clock_kind *kind)
{
    const char *word = json_read_text(object, "kind", 8);
    unsigned at = 0;

    while (word != NULL && at < ARRAY_LEN(kinds) && strcmp(word, kinds[at]) != 0) {
        at++;
    }
    *kind = (enum clock_kind)at;
    return word != NULL && at < ARRAY_LEN(kinds);
}

bool clock_rule_from_json(const json_t *object, struct clock_rule *rule)
{
    const int64_t most = (int64_t)CLOCK_DAYS_MAX * CLOCK_DAY_S;
    struct clock_rule read = {.kind = CLOCK_NONE};
    int64_t time_s = 0;
    int64_t increment_s = 0;
    bool is_read = true;

    if (!read_kind(object, &read.kind)) {
        return false;
    }
    switch (read.kind) {
    case CLOCK_MOVE:
        is_read = json_read_number(object, "move_s", 1, most, &time_s);
        break;
    case CLOCK_BANK:
        is_read = json_read_number(object, "bank_s", 1, most, &time_s) &&
                  json_read_number(object, "increment_s", 0, most, &increment_s);
        break;
    case CLOCK_DAYS:
        is_read = json_read_number(object, "days", 1, CLOCK_DAYS_MAX, &time_s);
        time_s *= CLOCK_DAY_S;
        break;
    case CLOCK_NONE:
        break;
    }
    read.time_s = (uint32_t)time_s;
    read.increment_s = (uint32_t)increment_s;
    if (!is_read || !clock_rule_is_good(&read)) {
        return false;
    }
    *rule = read;
    return true;
}
