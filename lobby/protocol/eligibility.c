#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool eligibility_has_conditions(const struct eligibility *rule)
{
    return rule->rating_min != 0 || rule->rating_max != 0 || rule->finished_min != 0;
}

static bool eligibility_is_valid(const struct eligibility *rule)
{
    return rule->rating_max == 0 || rule->rating_min <= rule->rating_max;
}

/* Reads a number from 0 to `most` at *at and moves *at behind it. If the text does not begin with a
 * digit, the number is 0. */
static bool read_optional_number(const char **at, long most, long *number)
{
    char *end = NULL;
    *number = 0;
    if (**at < '0' || **at > '9') {
        return true;
    }
    *number = strtol(*at, &end, 10);
    *at = end;
    return *number <= most;
}

/* Reads one condition, "rating 1400-1700" or "finished 80%", at *at. Moves *at behind it and the
 * blanks that follow. */
static bool read_condition(const char **at, struct eligibility *rule)
{
    long low = 0;
    long high = 0;
    bool is_good = false;
    if (strncmp(*at, "rating ", 7) == 0) {
        *at += 7;
        is_good = read_optional_number(at, ELIGIBILITY_RATING_MOST, &low) && **at == '-';
        *at += is_good;
        is_good = is_good && read_optional_number(at, ELIGIBILITY_RATING_MOST, &high) &&
                  (low != 0 || high != 0);
        rule->rating_min = (int32_t)low;
        rule->rating_max = (int32_t)high;
    } else if (strncmp(*at, "finished ", 9) == 0) {
        *at += 9;
        is_good = read_optional_number(at, 100, &low) && low > 0;
        *at += **at == '%';
        rule->finished_min = (uint8_t)low;
    }
    is_good = is_good && (**at == '\0' || **at == ' ');
    *at += strspn(*at, " ");
    return is_good;
}

bool eligibility_parse(const char *text, struct eligibility *rule)
{
    struct eligibility read = {0};
    if (strcmp(text, "all") == 0) {
        *rule = read;
        return true;
    }
    for (const char *at = text; *at != '\0' || at == text;) {
        if (!read_condition(&at, &read)) {
            return false;
        }
    }
    if (!eligibility_is_valid(&read)) {
        return false;
    }
    *rule = read;
    return true;
}

void eligibility_write(const struct eligibility *rule, struct text *out)
{
    bool has_rating = rule->rating_min != 0 || rule->rating_max != 0;
    if (!eligibility_has_conditions(rule)) {
        text_put(out, "all");
        return;
    }
    if (has_rating) {
        text_put(out, "rating ");
        if (rule->rating_min != 0) {
            text_put_number(out, rule->rating_min);
        }
        text_put(out, "-");
        if (rule->rating_max != 0) {
            text_put_number(out, rule->rating_max);
        }
    }
    if (rule->finished_min != 0) {
        text_put(out, has_rating ? " finished " : "finished ");
        text_put_number(out, rule->finished_min);
        text_put(out, "%");
    }
}

json_t *eligibility_to_json(const struct eligibility *rule)
{
    return json_pack("{s:i,s:i,s:i}", "rating_min", rule->rating_min, "rating_max",
                     rule->rating_max, "finished_min", rule->finished_min);
}

bool eligibility_from_json(const json_t *object, struct eligibility *rule)
{
    int64_t low = 0;
    int64_t high = 0;
    int64_t finished = 0;
    if ((!json_is_null(object) && !json_is_object(object)) ||
        !json_read_optional_number(object, "rating_min", 0, ELIGIBILITY_RATING_MOST, &low) ||
        !json_read_optional_number(object, "rating_max", 0, ELIGIBILITY_RATING_MOST, &high) ||
        !json_read_optional_number(object, "finished_min", 0, 100, &finished)) {
        return false;
    }
    struct eligibility read = {(int32_t)low, (int32_t)high, (uint8_t)finished};
    if (!eligibility_is_valid(&read)) {
        return false;
    }
    *rule = read;
    return true;
}

static const char *const policies[] = {STORED_WORDS(STORED_WATCH_POLICIES) NULL};

static const char *const talks[] = {STORED_WORDS(STORED_WATCH_TALKS) NULL};

bool watch_rule_parse(const char *text, struct watch_rule *rule)
{
    char word[16];
    size_t len = strcspn(text, " ");
    (void)snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : 0), text);
    int policy = text_find_word(policies, word);
    const char *number = text + len + strspn(text + len, " ");
    size_t digits = strspn(number, "0123456789");
    unsigned long moves = digits > 0 && digits <= 3 ? strtoul(number, NULL, 10) : 0;
    bool has_number = *number != '\0';
    bool is_number = digits > 0 && number[digits] == '\0' && moves > 0 && moves <= WATCH_MOVES_MAX;
    if (policy < 0 || (has_number && (policy != WATCH_DELAY || !is_number))) {
        return false;
    }
    rule->policy = (enum watch_policy)policy;
    rule->moves = (uint8_t)moves;
    return true;
}

bool watch_rule_parse_spectator_talk(const char *text, struct watch_rule *rule)
{
    int talk = text_find_word(talks, text);
    if (talk < 0) {
        return false;
    }
    rule->talk = (enum watch_talk)talk;
    return true;
}

json_t *watch_rule_to_json(const struct watch_rule *rule)
{
    json_t *object =
        json_pack("{s:s,s:s}", "policy", policies[rule->policy], "talk", talks[rule->talk]);
    if (rule->policy == WATCH_DELAY) {
        (void)json_object_set_new(object, "moves", json_integer(rule->moves));
    }
    return object;
}

bool watch_rule_from_json(const json_t *object, struct watch_rule *rule)
{
    int policy = json_read_word(object, "policy", policies, (int)rule->policy);
    int talk = json_read_word(object, "talk", talks, (int)rule->talk);
    bool keeps_moves =
        json_read_key_is_absent(object, "policy") && json_read_key_is_absent(object, "moves");
    int64_t moves = keeps_moves ? rule->moves : 0;
    if (!json_is_object(object) || policy < 0 || talk < 0 ||
        !json_read_optional_number(object, "moves", 0, WATCH_MOVES_MAX, &moves) ||
        (!keeps_moves && moves > 0 && policy != WATCH_DELAY)) {
        return false;
    }
    *rule = (struct watch_rule){(enum watch_policy)policy, (uint8_t)moves, (enum watch_talk)talk};
    return true;
}
