#include "lobby/protocol/protocol.h"

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
