#pragma once

#include "games/macros.h"
#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The conditions for sitting down at a table: PROTOCOL.md's `fit`. A zeroed rule admits
 * everybody. */

#define ELIGIBILITY_RATING_MOST 9999

struct eligibility {
    int32_t rating_min, rating_max; /* points in the table's game; 0: any */
    uint8_t finished_min; /* percentage of a player's rated games played to the end; 0: any */
};

bool eligibility_has_conditions(const struct eligibility *rule);

/* Reads "all", or "rating 1400-1700", "rating 1400-", "finished 80%", or both. False, with *rule
 * unchanged, for any other text. */
bool eligibility_parse(const char *text, struct eligibility *rule) MUST_CHECK;

/* Writes it in the same form: "rating 1400-1700 finished 80%"; "all". */
#define ELIGIBILITY_SIZE 64
void eligibility_write(const struct eligibility *rule, struct text *out);

/* Makes {"rating_min":1400,"rating_max":1700,"finished_min":80}, with 0 for no condition; the
 * caller releases it. */
json_t *eligibility_to_json(const struct eligibility *rule) MUST_CHECK;

/* Reads that object. Null and absent keys mean no condition. False, with *rule unchanged, for an
 * invalid value. */
bool eligibility_from_json(const json_t *object, struct eligibility *rule) MUST_CHECK;
