#pragma once

#include "games/macros.h"
#include "games/text.h"
#include "storage/stored_words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Who may watch the game at a table, and whether watchers talk: PROTOCOL.md's `watch`. */

/* Stored: the numbers never change. */
enum watch_policy {
    STORED_VALUES(STORED_WATCH_POLICIES, WATCH_)
    WATCH_POLICY_LAST = STORED_LAST(STORED_WATCH_POLICIES),
};

/* While a game is on. Stored: the numbers never change. */
enum watch_talk {
    STORED_VALUES(STORED_WATCH_TALKS, WATCH_TALK_)
    WATCH_TALK_LAST = STORED_LAST(STORED_WATCH_TALKS),
};

#define WATCH_MOVES_MAX 100U

struct watch_rule {
    enum watch_policy policy;
    uint8_t moves; /* WATCH_DELAY: so many moves behind; 0: one round. Else 0 */
    enum watch_talk talk;
};

bool watch_rule_is_same(const struct watch_rule *left, const struct watch_rule *right);

/* "public", "delay", "friends" or "none"; "all", "apart" or "off": as in messages. */
const char *watch_policy_name(enum watch_policy policy);
const char *watch_talk_name(enum watch_talk talk);

/* What people write: "public", "friends", "none", "delay" (one round), "delay 10" (moves). Keeps
 * `talk`. False, and *rule is untouched, for anything else. */
bool watch_rule_parse(const char *text, struct watch_rule *rule) MUST_CHECK;

/* "all", "apart" or "off"; the same. */
bool watch_talk_parse(const char *text, struct watch_rule *rule) MUST_CHECK;

/* {"policy":"delay","moves":10,"talk":"apart"}; `moves` only with delay. The caller's to release.
 */
json_t *watch_rule_to_json(const struct watch_rule *rule) MUST_CHECK;

/* Keys that are absent keep what *rule has, but `moves`: 0. False, and *rule is untouched, when the
 * object is none or has a value there is not. */
bool watch_rule_from_json(const json_t *object, struct watch_rule *rule) MUST_CHECK;
