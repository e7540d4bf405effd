#pragma once

#include "games/macros.h"
#include "games/text.h"
#include "storage/stored_words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Converts a table's clock between struct clock_rule, the text that people write, and the JSON
 * object `clock` of PROTOCOL.md. clock_types.h describes each kind of clock. */

/* These numbers are stored in the database, so they never change. */
enum clock_kind {
    STORED_VALUES(STORED_CLOCK_KINDS, CLOCK_) CLOCK_KIND_LAST = STORED_LAST(STORED_CLOCK_KINDS),
};

#define CLOCK_DAY_S 86400U
#define CLOCK_LONGEST_S 1209600U /* 14 days: the longest time for a move, or in a time bank */
#define CLOCK_TURN_LEAST_S 5U    /* the least time for a turn, even if the time bank is empty */

struct clock_rule {
    enum clock_kind kind;
    uint32_t time_s; /* seconds for each move or, with a time bank, for all moves of a seat; 0 with
                        CLOCK_NONE */
    uint32_t increment_s; /* the increment in seconds; 0 for kinds of clock without one */
};

/* Returns true if every number of the rule is in the range that its kind of clock allows. */
bool clock_rule_is_valid(const struct clock_rule *rule);

/* Returns true if the game is played in one sitting: with any kind of clock but CLOCK_DAYS. */
bool clock_rule_is_for_one_sitting(const struct clock_rule *rule);

/* Returns true if the clock has a time bank: one amount of time for all moves of a seat. */
bool clock_rule_has_time_bank(const struct clock_rule *rule);

bool clock_rule_equals(const struct clock_rule *left, const struct clock_rule *right);

/* Reads a clock as people write it: "none", "30s", "5m", "1h", "10m+5s" or "2d". Returns false,
 * with *rule unchanged, for any other text and for numbers out of range. */
bool clock_rule_parse(const char *text, struct clock_rule *rule) MUST_CHECK;

/* Writes a clock as people write it, in the largest unit that is exact. The text fits
 * CLOCK_RULE_SIZE. */
#define CLOCK_RULE_SIZE 24
void clock_rule_write(const struct clock_rule *rule, struct text *out);

/* Returns the value of `clock_s` in messages: the most seconds that a player may take for the first
 * move; 0 without a clock. */
uint32_t clock_rule_max_first_move_seconds(const struct clock_rule *rule);

/* Makes the clock that a message's `clock_s` stands for: no clock, seconds for each move, or whole
 * days. The clock may be invalid. */
struct clock_rule clock_rule_from_seconds(uint32_t seconds);

/* Makes the JSON object of a clock, which the caller releases: {"kind":"none"},
 * {"kind":"move","move_s":30}, {"kind":"bank","bank_s":600,"increment_s":5} or
 * {"kind":"days","days":2}. */
json_t *clock_rule_to_json(const struct clock_rule *rule) MUST_CHECK;

/* Reads a clock from the JSON object that clock_rule_to_json makes. Returns false, with *rule
 * unchanged, if the clock is invalid. */
bool clock_rule_from_json(const json_t *object, struct clock_rule *rule) MUST_CHECK;
