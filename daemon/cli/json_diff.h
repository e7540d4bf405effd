#pragma once

#include "games/fields.h"
#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Where JSON from outside differs from what the engine says. Messages name the place as a path and
 * show both sides, cut short and with everything but printable ASCII escaped:
 *     events[57].hands[0][3]: expected "AS", found "KD"
 */

/* Room for one message. */
#define JSON_DIFF_MAX 512

/* True if both are the same: objects have exactly the expected keys, but with `ignores_more` the
 * outermost may have more. Otherwise `why` says where they first differ; `where` begins the path.
 */
bool json_diff_fields(const struct fields *expected, json_t *found, bool ignores_more,
                      const char *where, struct text *why);

/* Appends the value as JSON, truncated; "nothing" for NULL. */
void json_diff_show(const json_t *value, struct text *out);
