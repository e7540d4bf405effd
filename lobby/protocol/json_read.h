#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads values from messages that are not trusted. A missing key, a wrong type and a value out of
 * range are treated alike. `object` may be NULL or a JSON value that is not an object.
 */

/* The longest name that is accepted in a message, in bytes. Every valid name is shorter. */
#define JSON_NAME_MAX 32

/* Parses a packet into a JSON object, which the caller releases. Returns NULL if the packet is not
 * an object. This function does not limit the size or depth, so it is only for messages of our own
 * processes. */
json_t *json_read_object(const char *bytes, size_t len) MUST_CHECK;

/* Limits of a message to the core (json_bounds.h). The largest message, which opens a table with
 * all its options, uses a tenth of them. */
enum {
    REQUEST_BYTES_MAX = 8192, /* the largest message, in bytes, that a session may send; other
                                 processes of the house may fill a whole packet */
    REQUEST_VALUES_MAX = 256,
    REQUEST_DEPTH_MAX = 8,
    REQUEST_SCALAR_MAX = 32,
};

/* Parses a message to the core into a JSON object. Returns NULL if the message is not an object or
 * exceeds the limits, which are checked before the JSON tree is built. */
json_t *json_read_request(const char *bytes, size_t len) MUST_CHECK;

/* Returns the text of a key, borrowed from the object; NULL if the key is absent, not a string, or
 * longer than max_bytes. */
const char *json_read_text(const json_t *object, const char *key, size_t max_bytes);

/* Converts the capital letters of a name to small ones in place, since people may write a name
 * either way. */
void name_to_lower(char *name);

/* Returns a person's name with capital letters converted to small ones. The object owns this text.
 * Returns NULL if the key is absent, not a string, or longer than JSON_NAME_MAX bytes. */
const char *json_read_name(json_t *object, const char *key);

/* Returns true, with *number set, if the key holds an integer from min to max. */
bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number) MUST_CHECK;

/* Like json_read_number, but a key that is absent or null is valid, too, and leaves *number
 * unchanged. */
bool json_read_optional_number(const json_t *object, const char *key, int64_t min, int64_t max,
                               int64_t *number) MUST_CHECK;

/* Returns the boolean of a key, or `fallback` if it is absent or not a boolean. */
bool json_read_bool(const json_t *object, const char *key, bool fallback);

/* Returns true if the key is absent or null. */
bool json_read_key_is_absent(const json_t *object, const char *key);
