#include "lobby/protocol/protocol.h"

#include "games/game.h"

#include <math.h>
#include <string.h>

const char *row_word_of_value(const struct row_words *words, unsigned value)
{
    return words->texts[value < words->count ? value : 0];
}

size_t row_value_of_word(const struct row_words *words, const char *text)
{
    size_t value = 0;
    while (value < words->count && (text == NULL || strcmp(words->texts[value], text) != 0)) {
        value++;
    }
    return value;
}

void row_copy_text(char *member, size_t size, const char *text)
{
    struct text out = text_init(member, size);
    text_put(&out, text);
}

/* Reads an integer of the field's size from a struct member. An integer of fewer than four bytes is
 * signed if the field may be negative. */
static int64_t row_load_integer(const struct row_field *field, const void *member)
{
    bool is_signed = field->min < 0 || field->none < 0;
    switch (field->size) {
    case sizeof(uint8_t): {
        uint8_t number = *(const uint8_t *)member;
        return is_signed ? (int8_t)number : number;
    }
    case sizeof(uint16_t): {
        uint16_t number = 0;
        memcpy(&number, member, sizeof(number));
        return is_signed ? (int16_t)number : number;
    }
    case sizeof(int32_t): {
        int32_t number = 0;
        memcpy(&number, member, sizeof(number));
        return number;
    }
    default: {
        int64_t number = 0;
        memcpy(&number, member, sizeof(number));
        return number;
    }
    }
}

static void row_store_integer(const struct row_field *field, int64_t number, void *member)
{
    switch (field->size) {
    case sizeof(uint8_t):
        *(uint8_t *)member = (uint8_t)number;
        break;
    case sizeof(uint16_t):
        memcpy(member, &(uint16_t){(uint16_t)number}, sizeof(uint16_t));
        break;
    case sizeof(int32_t):
        memcpy(member, &(int32_t){(int32_t)number}, sizeof(int32_t));
        break;
    default:
        memcpy(member, &number, sizeof(number));
        break;
    }
}

/* Reads a pointer of any type from a struct member. */
static void *row_load_pointer(const void *member)
{
    void *pointer = NULL;
    memcpy(&pointer, member, sizeof(pointer));
    return pointer;
}

static void row_store_pointer(const void *pointer, void *member)
{
    memcpy(member, &pointer, sizeof(pointer));
}

static bool row_member_equals_none(const struct row_field *field, const void *member)
{
    if ((field->when != ROW_NULL_IF && field->when != ROW_ABSENT_IF) ||
        field->type == ROW_IS_PART) {
        return false;
    }
    return field->type == ROW_IS_TEXT ? *(const char *)member == '\0'
                                      : row_load_integer(field, member) == field->none;
}

static json_t *row_make_value_json(const struct row_field *field, const void *member)
{
    switch ((enum row_type)field->type) {
    case ROW_IS_TEXT:
        return json_string(member);
    case ROW_IS_WORD:
        return json_string(
            row_word_of_value(field->words, (unsigned)row_load_integer(field, member)));
    case ROW_IS_NUMBER:
    case ROW_IS_TIME:
        return json_integer(row_load_integer(field, member));
    case ROW_IS_TENTHS:
        return json_real((double)row_load_integer(field, member) / 10.0);
    case ROW_IS_FLAG:
        return json_boolean(row_load_integer(field, member) != 0);
    case ROW_IS_GAME:
        return json_string(((const struct game_def *)row_load_pointer(member))->id);
    case ROW_IS_OBJECT:
    case ROW_IS_LIST:
        return json_incref(row_load_pointer(member));
    case ROW_IS_PART:
        return field->part->write(member);
    }
    return NULL;
}

void row_write_fields(const struct row_def *def, const void *row, json_t *object)
{
    for (size_t i = 0; i < def->count; i++) {
        const struct row_field *field = &def->fields[i];
        const void *member = (const char *)row + field->offset;
        bool is_none = row_member_equals_none(field, member);
        if (is_none && field->when == ROW_NULL_IF) {
            (void)json_object_set_new(object, field->key, json_null());
        } else if (!is_none) {
            (void)json_object_set_new(object, field->key, row_make_value_json(field, member));
        }
    }
}

static int64_t row_clamp_number(const struct row_field *field, int64_t number)
{
    return number < field->min ? field->min : number > field->max ? field->max : number;
}

static bool row_read_number(const struct row_field *field, const json_t *value, void *member)
{
    double scale = field->type == ROW_IS_TENTHS ? 10.0 : 1.0;
    double real = json_number_value(value) * scale;
    bool is_number = json_is_integer(value) || (json_is_real(value) && fabs(real) < 1e15);
    int64_t number = 0;
    if (is_number) {
        number = json_is_integer(value) && field->type != ROW_IS_TENTHS ? json_integer_value(value)
                                                                        : llround(real);
    }
    bool has_none = field->when == ROW_NULL_IF || field->when == ROW_ABSENT_IF;
    row_store_integer(field, !is_number && has_none ? field->none : row_clamp_number(field, number),
                      member);
    return field->when != ROW_REQUIRED || (is_number && number >= field->min);
}

static bool row_read_field(const struct row_field *field, json_t *value, void *member)
{
    const char *text = json_string_value(value);
    const struct game_def *game = NULL;
    size_t word = 0;
    switch ((enum row_type)field->type) {
    case ROW_IS_TEXT:
        drawable_copy_text(value, member, field->size);
        return *(const char *)member != '\0' || field->when != ROW_REQUIRED;
    case ROW_IS_WORD:
        word = row_value_of_word(field->words, text);
        row_store_integer(field, word < field->words->count ? (int64_t)word : 0, member);
        break;
    case ROW_IS_NUMBER:
    case ROW_IS_TIME:
    case ROW_IS_TENTHS:
        return row_read_number(field, value, member);
    case ROW_IS_FLAG:
        row_store_integer(field,
                          json_is_boolean(value)         ? json_is_true(value)
                          : field->when == ROW_ABSENT_IF ? field->none
                                                         : 0,
                          member);
        break;
    case ROW_IS_GAME:
        game = text == NULL ? NULL : game_find(text);
        row_store_pointer(game, member);
        return game != NULL || field->when != ROW_REQUIRED;
    case ROW_IS_OBJECT:
        row_store_pointer(json_is_object(value) ? value : NULL, member);
        break;
    case ROW_IS_LIST:
        row_store_pointer(json_is_array(value) ? value : NULL, member);
        break;
    case ROW_IS_PART:
        field->part->read(value, member);
        break;
    }
    return true;
}

bool row_read(const struct row_def *def, const json_t *object, void *row)
{
    bool is_good = true;
    memset(row, 0, def->size);
    for (size_t i = 0; i < def->count; i++) {
        const struct row_field *field = &def->fields[i];
        json_t *value = json_object_get(object, field->key);
        is_good = row_read_field(field, value, (char *)row + field->offset) && is_good;
    }
    return is_good;
}

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
        int64_t number = 0;
        if (json_to_number(json_array_get(value, i), -99998, 99998, &number)) {
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
        int64_t number = 0;
        if (json_to_number(json_array_get(value, i), 0, SEATS_MAX - 1, &number)) {
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

#define WORDS(name) static const char *const name##_texts[] = {
#define WORD(value, text) [value] = (text),
#define WORDS_END(name)                                                                            \
    }                                                                                              \
    ;                                                                                              \
    const struct row_words name##_words = {#name, name##_texts, ARRAY_LEN(name##_texts)};
#include "lobby/protocol/rows.def"

#define LIST(name, row, most)                                                                      \
    static json_t *name##_write(const void *member)                                                \
    {                                                                                              \
        const struct row_##name *list = member;                                                    \
        return row_list_write(&row##_row_def, list->at, list->count);                              \
    }                                                                                              \
    static void name##_read(const json_t *value, void *member)                                     \
    {                                                                                              \
        struct row_##name *list = member;                                                          \
        list->count = (uint8_t)row_list_read(&row##_row_def, value, list->at, (most));             \
    }                                                                                              \
    static const struct row_part row_part_##name = {"list", name##_write, name##_read};
#define PLACES(name, row, is_there, most)                                                          \
    static json_t *name##_write(const void *member)                                                \
    {                                                                                              \
        const struct row_##name *list = member;                                                    \
        json_t *json = json_array();                                                               \
        for (const struct row##_row *at = list->at; at < list->at + list->count; at++) {           \
            (void)json_array_append_new(json, at->is_there ? row##_row_write(at) : json_null());   \
        }                                                                                          \
        return json;                                                                               \
    }                                                                                              \
    static void name##_read(const json_t *value, void *member)                                     \
    {                                                                                              \
        struct row_##name *list = member;                                                          \
        for (; list->count < json_array_size(value) && list->count < (most); list->count++) {      \
            struct row##_row *at = &list->at[list->count];                                         \
            const json_t *object = json_array_get(value, list->count);                             \
            at->is_there = row##_row_read(object, at) && json_is_object(object);                   \
        }                                                                                          \
    }                                                                                              \
    static const struct row_part row_part_##name = {"list", name##_write, name##_read};
#include "lobby/protocol/rows.def"

/* The following macros turn the words after the member's name, in each line of rows.def, into
 * initialisers of a struct row_field. */
#define ALWAYS .when = ROW_ALWAYS
#define REQUIRED .when = ROW_REQUIRED
#define NULL_IF(value) .when = ROW_NULL_IF, .none = (value)
#define ABSENT_IF(value) .when = ROW_ABSENT_IF, .none = (value)
#define NUMBER(least, most) .type = ROW_IS_NUMBER, .min = (least), .max = (most)
#define TIME .type = ROW_IS_TIME, .max = INT64_MAX
#define TENTHS(least, most) .type = ROW_IS_TENTHS, .min = (least), .max = (most)
#define FLAG .type = ROW_IS_FLAG
#define WORD_OF(name) .type = ROW_IS_WORD, .words = &name##_words
#define GAME .type = ROW_IS_GAME
#define OBJECT .type = ROW_IS_OBJECT
#define JSON_LIST .type = ROW_IS_LIST
#define PART(name) .type = ROW_IS_PART, .part = &row_part_##name

#define PLACE(row, member)                                                                         \
    .offset = offsetof(struct row##_row, member), .size = sizeof(((struct row##_row *)0)->member)
#define ROW(row) static const struct row_field row##_fields[] = {
#define ROW_END(name)                                                                              \
    }                                                                                              \
    ;                                                                                              \
    const struct row_def name##_row_def = {#name, name##_fields, ARRAY_LEN(name##_fields),         \
                                           sizeof(struct name##_row)};                             \
    json_t *name##_row_write(const struct name##_row *row)                                         \
    {                                                                                              \
        json_t *object = json_object();                                                            \
        row_write_fields(&name##_row_def, row, object);                                            \
        return object;                                                                             \
    }                                                                                              \
    void name##_row_put(const struct name##_row *row, json_t *object)                              \
    {                                                                                              \
        row_write_fields(&name##_row_def, row, object);                                            \
    }                                                                                              \
    bool name##_row_read(const json_t *object, struct name##_row *row)                             \
    {                                                                                              \
        return row_read(&name##_row_def, object, row);                                             \
    }
#define TEXT(row, key, member, bytes, when) {#key, .type = ROW_IS_TEXT, PLACE(row, member), when},
#define FIELD(row, key, member, ctype, when, ...) {#key, PLACE(row, member), when, __VA_ARGS__},
#define INSIDE(row, key, member, when, ...) {#key, PLACE(row, member), when, __VA_ARGS__},
#define LOCAL(row, ctype, member)
#include "lobby/protocol/rows.def"
