#include "games/game.h"

#include <assert.h>
#include <string.h>

#define HANDLE_NONE UINT16_MAX

void fields_clear(struct fields *fields)
{
    fields->count = 0;
    fields->depth = 0;
    fields->is_cut = false;
}

/* After the first field that does not fit, no more fields are added, so the object stays well
 * formed. */
static struct field *add_field(struct fields *fields, const char *key, enum field_type type)
{
    size_t key_len = key == NULL ? 0 : strlen(key);
    if (fields->is_cut || fields->count == FIELDS_MAX || key_len >= FIELD_KEY_MAX) {
        fields->is_cut = true;
        return NULL;
    }
    struct field *field = &fields->at[fields->count++];
    if (key_len > 0) {
        memcpy(field->key, key, key_len);
    }
    field->key[key_len] = '\0';
    field->type = (uint8_t)type;
    field->span = 0;
    field->number = 0;
    field->text[0] = '\0';
    return field;
}

void fields_add_null(struct fields *fields, const char *key)
{
    (void)add_field(fields, key, FIELD_NULL);
}

void fields_add_bool(struct fields *fields, const char *key, bool is_true)
{
    struct field *field = add_field(fields, key, FIELD_BOOL);
    if (field != NULL) {
        field->number = is_true;
    }
}

void fields_add_number(struct fields *fields, const char *key, int32_t number)
{
    struct field *field = add_field(fields, key, FIELD_NUMBER);
    if (field != NULL) {
        field->number = number;
    }
}

void fields_add_text(struct fields *fields, const char *key, const char *text)
{
    size_t len = strlen(text);
    if (len >= FIELD_TEXT_MAX) {
        fields->is_cut = true;
        return;
    }
    struct field *field = add_field(fields, key, FIELD_TEXT);
    if (field != NULL) {
        memcpy(field->text, text, len + 1);
    }
}

static uint16_t open_field(struct fields *fields, const char *key, enum field_type type)
{
    if (fields->depth == FIELDS_DEPTH_MAX) {
        fields->is_cut = true;
        return HANDLE_NONE;
    }
    if (add_field(fields, key, type) == NULL) {
        return HANDLE_NONE;
    }
    fields->depth++;
    return (uint16_t)(fields->count - 1);
}

uint16_t fields_open_list(struct fields *fields, const char *key)
{
    return open_field(fields, key, FIELD_LIST);
}

uint16_t fields_open_object(struct fields *fields, const char *key)
{
    return open_field(fields, key, FIELD_OBJECT);
}

void fields_close(struct fields *fields, uint16_t handle)
{
    if (handle == HANDLE_NONE) {
        return;
    }
    assert(handle < fields->count && fields->depth > 0);
    fields->at[handle].span = (uint16_t)(fields->count - handle - 1);
    fields->depth--;
}

const struct field *fields_find(const struct fields *fields, const char *key)
{
    size_t size = strlen(key) + 1;
    if (size > FIELD_KEY_MAX) {
        return NULL;
    }
    for (uint16_t i = 0; i < fields->count; i = (uint16_t)(i + 1 + fields->at[i].span)) {
        if (memcmp(fields->at[i].key, key, size) == 0) {
            return &fields->at[i];
        }
    }
    return NULL;
}

int32_t fields_find_number(const struct fields *fields, const char *key, int32_t fallback)
{
    const struct field *field = fields_find(fields, key);
    return field != NULL && field->type == FIELD_NUMBER ? field->number : fallback;
}

const struct field *field_first_member(const struct field *parent)
{
    return parent->span == 0 ? NULL : parent + 1;
}

const struct field *field_next_member(const struct field *parent, const struct field *member)
{
    const struct field *next = member + 1 + member->span;
    return next > parent + parent->span ? NULL : next;
}

static bool field_has_members(const struct field *field)
{
    return field->type == FIELD_LIST || field->type == FIELD_OBJECT;
}

static void write_field_start(const struct field *field, struct text *out)
{
    switch ((enum field_type)field->type) {
    case FIELD_NULL:
        text_put(out, "null");
        break;
    case FIELD_BOOL:
        text_put(out, field->number != 0 ? "true" : "false");
        break;
    case FIELD_NUMBER:
        text_put_number(out, field->number);
        break;
    case FIELD_TEXT:
        text_put_json(out, field->text);
        break;
    case FIELD_LIST:
        text_put_char(out, '[');
        break;
    case FIELD_OBJECT:
        text_put_char(out, '{');
        break;
    }
}

/* Writes the fields up to `end`, separated by commas. has_keys says whether the outermost fields
 * are written with their keys. */
static void write_field_range(const struct field *field, const struct field *end, bool has_keys,
                              struct text *out)
{
    const struct field *open[FIELDS_DEPTH_MAX];
    uint8_t depth = 0;
    bool is_first = true;
    for (; field <= end; field++) {
        while (depth > 0 && field > open[depth - 1] + open[depth - 1]->span) {
            text_put_char(out, open[--depth]->type == FIELD_LIST ? ']' : '}');
            is_first = false;
        }
        if (field == end) {
            break;
        }
        if (!is_first) {
            text_put_char(out, ',');
        }
        if (depth == 0 ? has_keys : open[depth - 1]->type == FIELD_OBJECT) {
            text_put_json(out, field->key);
            text_put_char(out, ':');
        }
        write_field_start(field, out);
        is_first = field_has_members(field);
        if (is_first) {
            open[depth++] = field;
        }
    }
}

void field_write(const struct field *field, struct text *out)
{
    write_field_range(field, field + 1 + field->span, false, out);
}

/* Writes the object's members without the braces, so that a caller can add its own keys. Writes
 * nothing for an empty object. */
static void fields_write_members(const struct fields *fields, struct text *out)
{
    write_field_range(fields->at, fields->at + fields->count, true, out);
}

void fields_write(const struct fields *fields, struct text *out)
{
    text_put_char(out, '{');
    fields_write_members(fields, out);
    text_put_char(out, '}');
}
