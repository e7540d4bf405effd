#pragma once

#include "games/fields.h"
#include "games/text.h"

#include <jansson.h>

/*
 * Compares JSON from outside with the engine's own data. Messages contain the path of a difference
 * and show both values, truncated and with everything but printable ASCII escaped:
 *
 *     events[57].hands[0][3]: expected "AS", found "KD"
 */

/* Size of a buffer for the message about a difference. */
#define JSON_DIFF_MAX 512

/* Compares JSON with the expected fields. Objects must have exactly the expected keys; with
 * `allows_more_keys` the outermost object may have more. On a difference returns false, and `why`
 * says where the first one is: a path that begins with `path_start`. */
bool json_diff_compare(const struct fields *expected, json_t *found, bool allows_more_keys,
                       const char *path_start, struct text *why);

/* Writes "PATH: EXPECTATION, found …" into `why`; `expectation` is a text such as "expected a
 * list". Returns false, for callers to return. */
bool json_diff_report(struct text *why, const char *path, const char *expectation,
                      const json_t *found);

/* Writes "PATH: expected VALUE, found …" into `why`; `expected_value` is JSON. Returns false, for
 * callers to return. */
bool json_diff_report_value(struct text *why, const char *path, const char *expected_value,
                            const json_t *found);

/* Appends the value as JSON, truncated; "nothing" for NULL. */
void json_diff_write_value(const json_t *value, struct text *out);
