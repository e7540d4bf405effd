#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading values out of messages from outside: a missing key, a wrong type and a value out of its
 * range are all the same to the caller. The object may be NULL or no object.
 */

/* The longest name a message may hold, in bytes: longer than any that can be taken. */
#define JSON_NAME_MAX 32

/* The packet's JSON object, the caller's to release; NULL when it is none. For what our own
 * processes say: it builds whatever there is. */
json_t *json_read_object(const char *bytes, size_t len) MUST_CHECK;

/* What a message to the core may hold (json_bounds.h). The largest there is, an opened table with
 * all its options, has a tenth of it. */
enum {
    REQUEST_BYTES_MAX = 8192, /* of a session's; the house's own peers have a whole packet */
    REQUEST_VALUES_MAX = 256,
    REQUEST_DEPTH_MAX = 8,
    REQUEST_SCALAR_MAX = 32,
};

/* The same for a message to the core: NULL also when it holds more than one may, which is found out
 * before anything is built. */
json_t *json_read_request(const char *bytes, size_t len) MUST_CHECK;

/* Borrowed from the object; NULL when absent, no string, or longer than max_bytes. */
const char *json_read_text(const json_t *object, const char *key, size_t max_bytes);

/* Makes the capitals among a name's letters small, in place: names have small letters only, and
 * people write them as they like. */
void name_fold(char *name);

/* A person's name: as json_read_text with the longest name as its bound, its capitals made small in
 * a copy that the object keeps. */
const char *json_read_name(json_t *object, const char *key);

/* True, and *number set, when the key holds an integer from min to max. */
bool json_read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                      int64_t *number) MUST_CHECK;

/* The boolean, fallback when absent or none. */
bool json_read_bool(const json_t *object, const char *key, bool fallback);

/* Absent or null. */
bool json_read_is_absent(const json_t *object, const char *key);
