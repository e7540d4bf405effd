#include "lobby/protocol/protocol.h"

#include <stdio.h>

json_t *json_read_object(const char *bytes, size_t len)
{
    json_t *object = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(object)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *json_read_request(const char *bytes, size_t len)
{
    static const struct json_bounds bounds = {
        .bytes = SIZE_MAX,
        .values = REQUEST_VALUES_MAX,
        .depth = REQUEST_DEPTH_MAX,
        .scalar = REQUEST_SCALAR_MAX,
    };
    return json_bounds_allow(&bounds, bytes, len) ? json_read_object(bytes, len) : NULL;
}

const char *json_read_text(const json_t *object, const char *key, size_t max_bytes)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || json_string_length(value) > max_bytes) {
        return NULL;
    }
    return json_string_value(value);
}

void name_to_lower(char *name)
{
    for (; *name != '\0'; name++) {
        if (*name >= 'A' && *name <= 'Z') {
            *name = (char)(*name - 'A' + 'a');
        }
    }
}

const char *json_read_name(json_t *object, const char *key)
{
    char name[JSON_NAME_MAX + 1];
    const char *text = json_read_text(object, key, JSON_NAME_MAX);
    if (text == NULL) {
        return NULL;
    }
    (void)snprintf(name, sizeof(name), "%s", text);
    name_to_lower(name);
    return json_string_set(json_object_get(object, key), name) == 0
               ? json_string_value(json_object_get(object, key))
               : NULL;
}

bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        return false;
    }
    *number = json_integer_value(value);
    return true;
}

bool json_read_optional_number(const json_t *object, const char *key, int64_t min, int64_t max,
                               int64_t *number)
{
    return json_read_key_is_absent(object, key) || json_read_number(object, key, min, max, number);
}

bool json_read_bool(const json_t *object, const char *key, bool fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : fallback;
}

bool json_read_key_is_absent(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value == NULL || json_is_null(value);
}
