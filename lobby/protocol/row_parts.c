#include "lobby/protocol/row_parts.h"

#include "lobby/protocol/rows.h"

#include <string.h>

json_t *row_list_write(const struct row_def *def, const void *rows, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        row_write_fields(def, (const char *)rows + i * def->size, row);
        (void)json_array_append_new(list, row);
    }
    return list;
}

size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < most; i++) {
        count += row_read(def, json_array_get(list, i), (char *)rows + count * def->size);
    }
    return count;
}

static json_t *row_chart_write(const void *member)
{
    const struct row_chart *chart = member;
    json_t *list = json_array();
    for (size_t i = 0; i < chart->count; i++) {
        (void)json_array_append_new(list, json_integer(chart->values[i]));
    }
    return list;
}

/* Values that no rating can have are left out. */
static void row_chart_read(const json_t *value, void *member)
{
    struct row_chart *chart = member;
    for (size_t i = 0; i < json_array_size(value) && chart->count < ROW_CHART_MAX; i++) {
        const json_t *points = json_array_get(value, i);
        json_int_t number = json_integer_value(points);
        if (json_is_integer(points) && number > -99999 && number < 99999) {
            chart->values[chart->count++] = (int32_t)number;
        }
    }
}

const struct row_part row_part_chart = {"list", row_chart_write, row_chart_read};

static json_t *row_seats_write(const void *member)
{
    uint8_t seats = *(const uint8_t *)member;
    json_t *list = json_array();
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats >> seat & 1) != 0) {
            (void)json_array_append_new(list, json_integer(seat));
        }
    }
    return list;
}

static void row_seats_read(const json_t *value, void *member)
{
    uint8_t *seats = member;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *seat = json_array_get(value, i);
        json_int_t number = json_integer_value(seat);
        if (json_is_integer(seat) && number >= 0 && number < SEATS_MAX) {
            *seats = (uint8_t)(*seats | 1u << number);
        }
    }
}

const struct row_part row_part_seats = {"list", row_seats_write, row_seats_read};

static json_t *row_asks_write(const void *member)
{
    return asks_row_write(member);
}

static void row_asks_read(const json_t *value, void *member)
{
    (void)asks_row_read(value, member);
}

const struct row_part row_part_asks = {"object", row_asks_write, row_asks_read};

static json_t *row_clock_write(const void *member)
{
    return clock_rule_to_json(member);
}

static void row_clock_read(const json_t *value, void *member)
{
    if (!clock_rule_from_json(value, member)) {
        *(struct clock_rule *)member = (struct clock_rule){.kind = CLOCK_NONE};
    }
}

const struct row_part row_part_clock = {"object", row_clock_write, row_clock_read};

static json_t *row_watch_write(const void *member)
{
    return watch_rule_to_json(member);
}

static void row_watch_read(const json_t *value, void *member)
{
    if (!watch_rule_from_json(value, member)) {
        *(struct watch_rule *)member = (struct watch_rule){.policy = WATCH_PUBLIC};
    }
}

const struct row_part row_part_watch = {"object", row_watch_write, row_watch_read};

static json_t *row_fit_write(const void *member)
{
    return eligibility_has_conditions(member) ? eligibility_to_json(member) : NULL;
}

static void row_fit_read(const json_t *value, void *member)
{
    if (!eligibility_from_json(value, member)) {
        *(struct eligibility *)member = (struct eligibility){0};
    }
}

const struct row_part row_part_fit = {"object", row_fit_write, row_fit_read};

static json_t *row_say_write(const void *member)
{
    json_t *say = NULL;
    memcpy(&say, member, sizeof(say)); /* NOLINT(bugprone-sizeof-expression): the pointer itself */
    return json_incref(say);
}

static void row_say_read(const json_t *value, void *member)
{
    value = json_is_array(value) ? value : NULL;
    memcpy(member, &value, sizeof(value)); /* NOLINT(bugprone-sizeof-expression) */
}

const struct row_part row_part_say = {"list", row_say_write, row_say_read};
