#include "lobby/protocol/protocol.h"

#include "games/macros.h"

#include <assert.h>
#include <string.h>

static const struct clock_rule none_offers[] = {{CLOCK_NONE, 0, 0}};

static const struct clock_rule move_offers[] = {
    {CLOCK_MOVE, 15, 0},  {CLOCK_MOVE, 30, 0},  {CLOCK_MOVE, 60, 0},
    {CLOCK_MOVE, 120, 0}, {CLOCK_MOVE, 300, 0},
};

static const struct clock_rule bank_offers[] = {
    {CLOCK_BANK, 300, 3},
    {CLOCK_BANK, 600, 5},
    {CLOCK_BANK, 1200, 10},
};

static const struct clock_rule days_offers[] = {
    {CLOCK_DAYS, CLOCK_DAY_S, 0},     {CLOCK_DAYS, 2 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 3 * CLOCK_DAY_S, 0}, {CLOCK_DAYS, 7 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, CLOCK_LONGEST_S, 0},
};

/* A text with only one number, such as "30s", stands for the first type of clock in this list that
 * allows the number. */
static const struct clock_type clock_types[] = {
    [CLOCK_NONE] =
        {
            .unit_s = 1,
            .is_live = true,
            .offers = none_offers,
            .offer_count = ARRAY_LEN(none_offers),
            .sentence = N_("none"),
        },
    [CLOCK_MOVE] =
        {
            .time_key = "move_s",
            .unit_s = 1,
            .time_min_s = CLOCK_TURN_LEAST_S,
            .time_max_s = CLOCK_DAY_S - 1,
            .is_live = true,
            .offers = move_offers,
            .offer_count = ARRAY_LEN(move_offers),
            .sentence = N_("%s a move"),
        },
    [CLOCK_BANK] =
        {
            .time_key = "bank_s",
            .unit_s = 1,
            .time_min_s = 30,
            .time_max_s = CLOCK_DAY_S,
            .increment_key = "increment_s",
            .increment_mark = '+',
            .increment_max_s = 600,
            .is_live = true,
            .has_bank = true,
            .offers = bank_offers,
            .offer_count = ARRAY_LEN(bank_offers),
            .sentence = N_("%s in all, %s more after each move"),
        },
    [CLOCK_DAYS] =
        {
            .time_key = "days",
            .unit_s = CLOCK_DAY_S,
            .time_min_s = CLOCK_DAY_S,
            .time_max_s = CLOCK_LONGEST_S,
            .offers = days_offers,
            .offer_count = ARRAY_LEN(days_offers),
            .sentence = N_("turn by turn: %s a move"),
        },
};

static_assert(ARRAY_LEN(clock_types) == STORED_LAST(STORED_CLOCK_KINDS) + 1,
              "every kind of clock needs an entry in clock_types");

const struct clock_type *clock_type_of(enum clock_kind kind)
{
    assert(kind <= CLOCK_KIND_LAST);
    return &clock_types[kind];
}

bool clock_rule_is_valid(const struct clock_rule *rule)
{
    const struct clock_type *type = clock_type_of(rule->kind);
    return rule->time_s >= type->time_min_s && rule->time_s <= type->time_max_s &&
           rule->time_s % type->unit_s == 0 && rule->increment_s <= type->increment_max_s;
}

bool clock_rule_is_for_one_sitting(const struct clock_rule *rule)
{
    return clock_type_of(rule->kind)->is_live;
}

bool clock_rule_has_time_bank(const struct clock_rule *rule)
{
    return clock_type_of(rule->kind)->has_bank;
}

bool clock_rule_equals(const struct clock_rule *left, const struct clock_rule *right)
{
    return left->kind == right->kind && left->time_s == right->time_s &&
           left->increment_s == right->increment_s;
}

/* Returns the seconds of a unit of time; 0 for an unknown unit. */
static uint32_t clock_seconds_of_unit(char unit)
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

/* Reads a duration such as "5m" at *at and moves *at behind it. Returns false if the text does not
 * begin with a duration. */
static bool clock_read_duration(const char **at, uint32_t *seconds)
{
    uint32_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number <= CLOCK_LONGEST_S; digit++) {
        number = 10 * number + (uint32_t)(*digit - '0');
    }
    uint32_t unit_s = clock_seconds_of_unit(*digit);
    if (digit == *at || unit_s == 0 || number > CLOCK_LONGEST_S / unit_s) {
        return false;
    }
    *seconds = number * unit_s;
    *at = digit + 1;
    return true;
}

/* Sets the rule's kind to the first kind of clock that is written with this sign before its
 * increment and that allows the rule's numbers. A kind without a time limit never fits. Returns
 * false if no kind fits. */
static bool clock_choose_kind_by_increment_sign(struct clock_rule *rule, char sign)
{
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        struct clock_rule read = *rule;
        read.kind = (enum clock_kind)kind;
        const struct clock_type *type = clock_type_of(read.kind);
        if (type->time_key != NULL && type->increment_mark == sign && clock_rule_is_valid(&read)) {
            *rule = read;
            return true;
        }
    }
    return false;
}

/* Reads "30s", "2d" or "10m+5s" into the rule. Returns false for any other text. */
static bool clock_parse_time_and_increment(const char *text, struct clock_rule *rule)
{
    const char *at = text;
    char sign = '\0';
    if (!clock_read_duration(&at, &rule->time_s)) {
        return false;
    }
    if (*at != '\0') {
        sign = *at++;
        if (!clock_read_duration(&at, &rule->increment_s)) {
            return false;
        }
    }
    return *at == '\0' && clock_choose_kind_by_increment_sign(rule, sign);
}

static const char *const kinds[] = {STORED_WORDS(STORED_CLOCK_KINDS) NULL};

bool clock_rule_parse(const char *text, struct clock_rule *rule)
{
    struct clock_rule read = {.kind = CLOCK_NONE};
    if (strcmp(text, kinds[CLOCK_NONE]) != 0 && !clock_parse_time_and_increment(text, &read)) {
        return false;
    }
    *rule = read;
    return true;
}

static void clock_write_duration(uint32_t seconds, bool allows_days, struct text *out)
{
    static const char units[] = "dhms";
    for (const char *unit = allows_days ? units : units + 1; *unit != '\0'; unit++) {
        uint32_t unit_s = clock_seconds_of_unit(*unit);
        /* 60s and 60m are written instead of 1m and 1h, to match 30s and 90m. */
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
    const struct clock_type *type = clock_type_of(rule->kind);
    if (type->time_key == NULL) {
        text_put(out, kinds[rule->kind]);
        return;
    }
    clock_write_duration(rule->time_s, type->unit_s == CLOCK_DAY_S, out);
    if (type->increment_mark != '\0') {
        text_put_char(out, type->increment_mark);
        clock_write_duration(rule->increment_s, false, out);
    }
}

struct clock_rule clock_rule_from_seconds(uint32_t seconds)
{
    struct clock_rule rule = {.kind = CLOCK_NONE, .time_s = seconds};
    if (seconds != 0 && !clock_choose_kind_by_increment_sign(&rule, '\0')) {
        rule.kind = CLOCK_MOVE;
    }
    return rule;
}

json_t *clock_rule_to_json(const struct clock_rule *rule)
{
    const struct clock_type *type = clock_type_of(rule->kind);
    json_t *object = json_pack("{s:s}", "kind", kinds[rule->kind]);

    if (type->time_key != NULL) {
        (void)json_object_set_new(object, type->time_key,
                                  json_integer(rule->time_s / type->unit_s));
    }
    if (type->increment_key != NULL) {
        (void)json_object_set_new(object, type->increment_key, json_integer(rule->increment_s));
    }
    return object;
}

bool clock_rule_from_json(const json_t *object, struct clock_rule *rule)
{
    int kind = json_read_word(object, "kind", kinds, -1);
    int64_t time = 0;
    int64_t increment_s = 0;

    if (kind < 0) {
        return false;
    }
    struct clock_rule read = {.kind = (enum clock_kind)kind};
    const struct clock_type *type = clock_type_of(read.kind);
    bool is_read =
        (type->time_key == NULL ||
         json_read_number(object, type->time_key, 1, CLOCK_LONGEST_S / type->unit_s, &time)) &&
        (type->increment_key == NULL ||
         json_read_number(object, type->increment_key, 0, CLOCK_LONGEST_S, &increment_s));
    read.time_s = (uint32_t)time * type->unit_s;
    read.increment_s = (uint32_t)increment_s;
    if (!is_read || !clock_rule_is_valid(&read)) {
        return false;
    }
    *rule = read;
    return true;
}

static const struct {
    int64_t round_stop_ms;
    int64_t trick_ms;
    int bot_delay_percent;
} paces[] = {
    [PACE_NORMAL] = {.round_stop_ms = 10000, .trick_ms = 1200, .bot_delay_percent = 100},
    [PACE_QUICK] = {.round_stop_ms = 5000, .trick_ms = 600, .bot_delay_percent = 50},
    [PACE_SLOW] = {.round_stop_ms = 20000, .trick_ms = 2500, .bot_delay_percent = 200},
};
static_assert(ARRAY_LEN(paces) == STORED_LAST(STORED_PACES) + 1,
              "every pace needs an entry in paces");

bool pace_from_word(const char *word, enum pace *pace)
{
    size_t value = row_value_of_word(&pace_words, word);
    if (value == pace_words.count) {
        return false;
    }
    *pace = (enum pace)value;
    return true;
}

int64_t pace_round_stop_ms(enum pace pace)
{
    return paces[pace].round_stop_ms;
}

int64_t pace_bot_delay_ms(enum pace pace, int64_t delay_ms)
{
    return delay_ms * paces[pace].bot_delay_percent / 100;
}

int64_t pace_trick_ms(enum pace pace)
{
    return paces[pace].trick_ms;
}
