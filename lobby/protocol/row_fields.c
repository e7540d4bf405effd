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
