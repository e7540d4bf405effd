#pragma once

#include "games/macros.h"
#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Who may sit down at a table: PROTOCOL.md's `fit`. A rule whose members are all 0 admits
 * everybody. */

#define ELIGIBILITY_RATING_MOST 9999

struct eligibility {
    int32_t rating_min,
        rating_max; /* bounds of a player's rating in the table's game, in points; 0: no bound */
    uint8_t finished_min; /* the least percentage of their rated games that a player must have
                             played to the end; 0: any */
};

bool eligibility_has_conditions(const struct eligibility *rule);

/* Reads a rule: "all", "rating 1400-1700", "rating 1400-", "finished 80%", or a rating and a
 * percentage. Returns false, with *rule unchanged, for any other text. */
bool eligibility_parse(const char *text, struct eligibility *rule) MUST_CHECK;

/* Writes a rule as people write it: "rating 1400-1700 finished 80%" or "all". */
#define ELIGIBILITY_SIZE 64
void eligibility_write(const struct eligibility *rule, struct text *out);

/* Makes the JSON object {"rating_min":1400,"rating_max":1700,"finished_min":80}, where 0 stands for
 * no condition. The caller releases it. */
json_t *eligibility_to_json(const struct eligibility *rule) MUST_CHECK;

/* Reads a rule from the JSON object that eligibility_to_json makes; null and absent keys stand for
 * no condition. Returns false, with *rule unchanged, for an invalid value. */
bool eligibility_from_json(const json_t *object, struct eligibility *rule) MUST_CHECK;
