#pragma once

#include "games/macros.h"
#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What a table asks of those who sit down: PROTOCOL.md's `fit`. Zeroed it asks nothing. */

#define FIT_RATING_LEAST 1
#define FIT_RATING_MOST 9999

struct fit_rule {
    int32_t rating_min, rating_max; /* points in the table's game; 0: any */
    uint8_t finished_min;           /* percent of one's rated games played to the end; 0: any */
};

bool fit_rule_asks(const struct fit_rule *rule);

/* What people write: "all", or "rating 1400-1700", "rating 1400-", "finished 80%", or both. False,
 * and *rule is untouched, for anything else. */
bool fit_rule_parse(const char *text, struct fit_rule *rule) MUST_CHECK;

/* The same back: "rating 1400-1700 finished 80%"; "all". */
#define FIT_RULE_SIZE 64
void fit_rule_write(const struct fit_rule *rule, struct text *out);

/* {"rating_min":1400,"rating_max":1700,"finished_min":80}, 0 where nothing is asked. The caller's
 * to release. */
json_t *fit_rule_to_json(const struct fit_rule *rule) MUST_CHECK;

/* Null asks nothing, an absent key nothing of that kind. False, and *rule is untouched, for a value
 * there is not. */
bool fit_rule_from_json(const json_t *object, struct fit_rule *rule) MUST_CHECK;
