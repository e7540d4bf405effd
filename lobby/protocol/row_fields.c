#include "lobby/protocol/row_fields.h"

#include "games/game.h"
#include "lobby/protocol/drawable.h"

#include <math.h>
#include <string.h>

const char *row_word_text(const struct row_words *words, unsigned value)
{
    return words->texts[value < words->count ? value : 0];
}

size_t row_word_find(const struct row_words *words, const char *text)
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

/* Reads an integer of that size; those of one and two bytes are signed if the field needs it. */
static int64_t row_load_integer(const struct row_field *field, const void *member)
{
    bool is_signed = field->min < 0 || field->none < 0;
    int64_t number = 0;
    switch (field->size) {
    case 1: {
        uint8_t byte = *(const uint8_t *)member;
        return is_signed ? (int8_t)byte : byte;
    }
    case 2: {
        uint16_t pair = 0;
        memcpy(&pair, member, sizeof(pair));
        return is_signed ? (int16_t)pair : pair;
    }
    case 4: {
        int32_t quad = 0;
        memcpy(&quad, member, sizeof(quad));
        return quad;
    }
    default:
        memcpy(&number, member, sizeof(number));
        return number;
    }
}

static void row_store_integer(const struct row_field *field, int64_t number, void *member)
{
    uint8_t byte = (uint8_t)number;
    uint16_t pair = (uint16_t)number;
    int32_t quad = (int32_t)number;
    switch (field->size) {
    case 1:
        memcpy(member, &byte, sizeof(byte));
        break;
    case 2:
        memcpy(member, &pair, sizeof(pair));
        break;
    case 4:
        memcpy(member, &quad, sizeof(quad));
        break;
    default:
        memcpy(member, &number, sizeof(number));
        break;
    }
}

static json_t *row_pointer(const void *member)
{
    json_t *object = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointer itself is copied */
    memcpy(&object, member, sizeof(object));
    return object;
}

static const struct game_def *row_game(const void *member)
{
    const struct game_def *game = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointer itself is copied */
    memcpy(&game, member, sizeof(game));
    return game;
}

static bool row_is_none(const struct row_field *field, const void *member)
{
    if (field->when != ROW_NULL_IF && field->when != ROW_ABSENT_IF) {
        return false;
    }
    switch ((enum row_type)field->type) {
    case ROW_IS_TEXT:
        return *(const char *)member == '\0';
    case ROW_IS_GAME:
        return row_game(member) == NULL;
    case ROW_IS_OBJECT:
    case ROW_IS_LIST:
        return row_pointer(member) == NULL;
    case ROW_IS_WORD:
    case ROW_IS_NUMBER:
    case ROW_IS_TIME:
    case ROW_IS_TENTHS:
    case ROW_IS_FLAG:
        return row_load_integer(field, member) == field->none;
    case ROW_IS_PART:
        break;
    }
    return false;
}

static json_t *row_value_json(const struct row_field *field, const void *member)
{
    switch ((enum row_type)field->type) {
    case ROW_IS_TEXT:
        return json_string(member);
    case ROW_IS_WORD:
        return json_string(row_word_text(field->words, (unsigned)row_load_integer(field, member)));
    case ROW_IS_NUMBER:
    case ROW_IS_TIME:
        return json_integer(row_load_integer(field, member));
    case ROW_IS_TENTHS:
        return json_real((double)row_load_integer(field, member) / 10.0);
    case ROW_IS_FLAG:
        return json_boolean(row_load_integer(field, member) != 0);
    case ROW_IS_GAME:
        return json_string(row_game(member)->id);
    case ROW_IS_OBJECT:
    case ROW_IS_LIST:
        return json_incref(row_pointer(member));
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
        bool is_none = row_is_none(field, member);
        if (is_none && field->when == ROW_NULL_IF) {
            (void)json_object_set_new(object, field->key, json_null());
        } else if (!is_none) {
            (void)json_object_set_new(object, field->key, row_value_json(field, member));
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

static void row_read_flag(const struct row_field *field, const json_t *value, void *member)
{
    int64_t absent = field->when == ROW_ABSENT_IF ? field->none : 0;
    row_store_integer(field, json_is_boolean(value) ? json_is_true(value) : absent, member);
}

static void row_read_word(const struct row_field *field, const json_t *value, void *member)
{
    size_t word = row_word_find(field->words, json_string_value(value));
    row_store_integer(field, word < field->words->count ? (int64_t)word : 0, member);
}

static bool row_read_game(const struct row_field *field, const json_t *value, void *member)
{
    const char *id = json_string_value(value);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointer itself is copied */
    memcpy(member, &game, sizeof(game));
    return game != NULL || field->when != ROW_REQUIRED;
}

static void row_read_json(const struct row_field *field, json_t *value, void *member)
{
    json_type type = field->type == ROW_IS_LIST ? JSON_ARRAY : JSON_OBJECT;
    json_t *json = value != NULL && json_typeof(value) == type ? value : NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointer itself is copied */
    memcpy(member, &json, sizeof(json));
}

static bool row_read_text(const struct row_field *field, const json_t *value, char *member)
{
    drawable_copy(value, member, field->size);
    return member[0] != '\0' || field->when != ROW_REQUIRED;
}

static bool row_read_field(const struct row_field *field, json_t *value, void *member)
{
    switch ((enum row_type)field->type) {
    case ROW_IS_TEXT:
        return row_read_text(field, value, member);
    case ROW_IS_WORD:
        row_read_word(field, value, member);
        break;
    case ROW_IS_NUMBER:
    case ROW_IS_TIME:
    case ROW_IS_TENTHS:
        return row_read_number(field, value, member);
    case ROW_IS_FLAG:
        row_read_flag(field, value, member);
        break;
    case ROW_IS_GAME:
        return row_read_game(field, value, member);
    case ROW_IS_OBJECT:
    case ROW_IS_LIST:
        row_read_json(field, value, member);
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
