#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads values from untrusted messages: a missing key, a wrong type and a value out of range have
 * the same result. The object may be NULL or not an object.
 */

/* The longest name in a message, in bytes: longer than any valid name. */
#define JSON_NAME_MAX 32

/* Parses a packet into a JSON object, which the caller releases; NULL if it is not an object. Only
 * for messages of our own processes, because it has no limits. */
json_t *json_read_object(const char *bytes, size_t len) MUST_CHECK;

/* Limits of a message to the core (json_bounds.h). The largest one, a table opened with all its
 * options, needs a tenth of it. */
enum {
    REQUEST_BYTES_MAX = 8192, /* for a session; the house's own processes may use a whole packet */
    REQUEST_VALUES_MAX = 256,
    REQUEST_DEPTH_MAX = 8,
    REQUEST_SCALAR_MAX = 32,
};

/* The same for a message to the core: also NULL if it exceeds the limits, which is checked before
 * anything is built. */
json_t *json_read_request(const char *bytes, size_t len) MUST_CHECK;

/* Borrowed from the object; NULL if absent, not a string, or longer than max_bytes. */
const char *json_read_text(const json_t *object, const char *key, size_t max_bytes);

/* Converts the capitals of a name to small letters, in place, because people write names as they
 * like. */
void name_to_lower(char *name);

/* A person's name: like json_read_text with the longest name as its limit, its capitals converted
 * to small letters in a copy that the object owns. */
const char *json_read_name(json_t *object, const char *key);

/* True, with *number set, if the key holds an integer from min to max. */
bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number) MUST_CHECK;

/* The same, but a key that is absent or null is valid, too, and leaves *number unchanged. */
bool json_read_optional_number(const json_t *object, const char *key, int64_t min, int64_t max,
                               int64_t *number) MUST_CHECK;

/* The boolean; fallback if it is absent or not a boolean. */
bool json_read_bool(const json_t *object, const char *key, bool fallback);

/* True if the key is absent or null. */
bool json_read_is_absent(const json_t *object, const char *key);
