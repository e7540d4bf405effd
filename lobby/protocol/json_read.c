#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* What a scan of a JSON text knows about the bytes that it has read so far. */
struct scan {
    size_t values, depth, scalar;
    bool is_text;    /* the scan is inside a string */
    bool is_escaped; /* the last byte, inside a string, was a backslash */
    bool is_empty;   /* the innermost object or list has no member yet */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void scan_string_byte(struct scan *scan, char c)
{
    scan->is_text = c != '"' || scan->is_escaped;
    scan->is_escaped = c == '\\' && !scan->is_escaped;
}

/* Handles a byte outside strings. */
static void scan_byte_outside_strings(struct scan *scan, char c)
{
    bool is_end = c == '}' || c == ']';
    bool is_mark = is_end || c == '{' || c == '[' || c == ',' || c == ':' || c == '"';
    if (is_blank(c)) {
        scan->scalar = 0;
        return;
    }
    scan->values += (scan->is_empty && !is_end) || c == ',';
    scan->is_empty = c == '{' || c == '[';
    scan->depth += scan->is_empty;
    scan->depth -= is_end && scan->depth > 0;
    scan->scalar = is_mark ? 0 : scan->scalar + 1;
    scan->is_text = c == '"';
}

bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len)
{
    struct scan scan = {0};
    bool is_held = len <= bounds->bytes;
    for (size_t i = 0; i < len && is_held; i++) {
        if (scan.is_text) {
            scan_string_byte(&scan, text[i]);
        } else {
            scan_byte_outside_strings(&scan, text[i]);
            is_held = scan.values <= bounds->values && scan.depth <= bounds->depth &&
                      scan.scalar <= bounds->scalar;
        }
    }
    return is_held;
}

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

const char *json_read_type(const json_t *message)
{
    const char *type = json_read_text(message, "t", JSON_NAME_MAX);
    return type != NULL ? type : "";
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

bool json_to_number(const json_t *value, int64_t min, int64_t max, int64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        return false;
    }
    *number = json_integer_value(value);
    return true;
}

bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number)
{
    return json_to_number(json_object_get(object, key), min, max, number);
}

int json_read_word(const json_t *object, const char *key, const char *const *words, int absent)
{
    return json_read_key_is_absent(object, key)
               ? absent
               : text_find_word(words, json_string_value(json_object_get(object, key)));
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

/* Returns true if the character may be drawn. The core has cleaned the text already; checking again
 * keeps out the characters with which our screens mark styles. */
static bool is_drawable(utf8proc_int32_t code)
{
    const unsigned hidden = 1u << UTF8PROC_CATEGORY_CC | 1u << UTF8PROC_CATEGORY_CF |
                            1u << UTF8PROC_CATEGORY_CS | 1u << UTF8PROC_CATEGORY_CO |
                            1u << UTF8PROC_CATEGORY_CN | 1u << UTF8PROC_CATEGORY_ZL |
                            1u << UTF8PROC_CATEGORY_ZP;
    return (hidden >> utf8proc_category(code) & 1) == 0;
}

void drawable_copy_text(const json_t *value, char *out, size_t cap)
{
    size_t len = 0;
    const char *text = json_string_value(value);
    utf8proc_int32_t code;
    utf8proc_ssize_t step;
    for (; text != NULL && *text != '\0'; text += step > 0 ? step : 1) {
        step = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        if (step <= 0 || !is_drawable(code)) {
            continue;
        }
        if (len + (size_t)step >= cap) {
            break;
        }
        memcpy(out + len, text, (size_t)step);
        len += (size_t)step;
    }
    out[len] = '\0';
}
