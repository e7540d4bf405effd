#include "lobby/protocol/protocol.h"

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

size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t max_rows)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < max_rows; i++) {
        count += row_read(def, json_array_get(list, i), (char *)rows + count * def->size);
    }
    return count;
}

static json_t *row_write_rating_chart(const void *member)
{
    const struct row_chart *chart = member;
    json_t *list = json_array();
    for (size_t i = 0; i < chart->count; i++) {
        (void)json_array_append_new(list, json_integer(chart->values[i]));
    }
    return list;
}

/* Skips numbers that cannot be a rating. */
static void row_read_rating_chart(const json_t *value, void *member)
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

const struct row_part row_part_chart = {"list", row_write_rating_chart, row_read_rating_chart};

static json_t *row_write_seat_bits(const void *member)
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

static void row_read_seat_bits(const json_t *value, void *member)
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

const struct row_part row_part_seats = {"list", row_write_seat_bits, row_read_seat_bits};

/* Defines a row_part from two functions that write a struct and read it. If the value is invalid,
 * the struct is set to (type){…} with the last arguments of this macro as initialisers. */
#define STRUCT_PART(name, type, to_json, from_json, ...)                                           \
    static json_t *row_##name##_write(const void *member)                                          \
    {                                                                                              \
        return to_json(member);                                                                    \
    }                                                                                              \
    static void row_##name##_read(const json_t *value, void *member)                               \
    {                                                                                              \
        if (!from_json(value, member)) {                                                           \
            *(type *)member = (type){__VA_ARGS__};                                                 \
        }                                                                                          \
    }                                                                                              \
    const struct row_part row_part_##name = {"object", row_##name##_write, row_##name##_read};

STRUCT_PART(asks, struct asks_row, asks_row_write, asks_row_read, 0)

static json_t *write_open_claim(const struct claim_row *claim)
{
    return claim->tricks > 0 ? claim_row_write(claim) : NULL;
}

STRUCT_PART(claim, struct claim_row, write_open_claim, claim_row_read, .tricks = 0)
STRUCT_PART(clock, struct clock_rule, clock_rule_to_json, clock_rule_from_json, .kind = CLOCK_NONE)
STRUCT_PART(watch, struct watch_rule, watch_rule_to_json, watch_rule_from_json,
            .policy = WATCH_PUBLIC)

static json_t *write_eligibility_conditions(const struct eligibility *rule)
{
    return eligibility_has_conditions(rule) ? eligibility_to_json(rule) : NULL;
}

STRUCT_PART(fit, struct eligibility, write_eligibility_conditions, eligibility_from_json, 0)

static json_t *row_write_sentence(const void *member)
{
    json_t *say = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): copies the pointer, not what it points to */
    memcpy(&say, member, sizeof(say));
    return json_incref(say);
}

static void row_read_sentence(const json_t *value, void *member)
{
    value = json_is_array(value) ? value : NULL;
    memcpy(member, &value, sizeof(value)); /* NOLINT(bugprone-sizeof-expression) */
}

const struct row_part row_part_say = {"list", row_write_sentence, row_read_sentence};
