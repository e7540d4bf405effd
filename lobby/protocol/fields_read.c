#include "lobby/protocol/protocol.h"

#include <stdint.h>

/* A position inside one JSON object or list. */
struct level {
    json_t *container;
    void *member; /* the next member of an object */
    size_t index; /* the next element of a list */
    uint16_t handle;
};

#define LEVELS_MAX 8

static json_t *level_take_next_value(struct level *level, const char **key)
{
    *key = NULL;
    if (json_is_array(level->container)) {
        return json_array_get(level->container, level->index++);
    }
    if (level->member == NULL) {
        return NULL;
    }
    *key = json_object_iter_key(level->member);
    json_t *value = json_object_iter_value(level->member);
    level->member = json_object_iter_next(level->container, level->member);
    return value;
}

static struct level make_level_at_start(json_t *container, uint16_t handle)
{
    return (struct level){
        .container = container,
        .member = json_is_object(container) ? json_object_iter(container) : NULL,
        .handle = handle,
    };
}

/* Appends to `fields` a value that is neither an object nor a list. Returns false if struct fields
 * cannot hold a value of this type. */
static bool fields_read_scalar(struct fields *fields, const char *key, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL:
        fields_add_null(fields, key);
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        fields_add_bool(fields, key, json_is_true(value));
        return true;
    case JSON_STRING:
        fields_add_text(fields, key, json_string_value(value));
        return true;
    case JSON_INTEGER:
        if (json_integer_value(value) < INT32_MIN || json_integer_value(value) > INT32_MAX) {
            return false;
        }
        fields_add_number(fields, key, (int32_t)json_integer_value(value));
        return true;
    case JSON_OBJECT:
    case JSON_ARRAY:
    case JSON_REAL:
        break;
    }
    return false;
}

/* A position inside nested JSON objects and lists, from the outermost to the innermost. */
struct levels {
    struct level at[LEVELS_MAX];
    size_t depth;
};

/* Reads the next value of the innermost object or list. Returns false if it is invalid. */
static bool fields_read_next_value(struct fields *fields, struct levels *levels)
{
    const char *key = NULL;
    json_t *value = level_take_next_value(&levels->at[levels->depth - 1], &key);
    if (value == NULL) {
        levels->depth--;
        if (levels->depth > 0) {
            fields_close(fields, levels->at[levels->depth].handle);
        }
        return true;
    }
    bool is_object = json_is_object(value);
    if (!is_object && !json_is_array(value)) {
        return fields_read_scalar(fields, key, value);
    }
    if (levels->depth == LEVELS_MAX) {
        return false;
    }
    uint16_t handle = is_object ? fields_open_object(fields, key) : fields_open_list(fields, key);
    levels->at[levels->depth++] = make_level_at_start(value, handle);
    return true;
}

bool fields_read(json_t *object, struct fields *fields)
{
    fields_clear(fields);
    if (!json_is_object(object)) {
        return false;
    }
    struct levels levels = {.at = {make_level_at_start(object, 0)}, .depth = 1};
    bool is_good = true;
    while (is_good && levels.depth > 0) {
        is_good = fields_read_next_value(fields, &levels);
    }
    return is_good && !fields->is_cut;
}
