#pragma once

#include "games/macros.h"
#include "games/text.h"
#include "storage/stored_words.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Who may watch a game, and whether spectators may talk during it: PROTOCOL.md's `watch`. */

/* These numbers are stored in the database and never change. */
enum watch_policy {
    STORED_VALUES(STORED_WATCH_POLICIES, WATCH_)
    WATCH_POLICY_LAST = STORED_LAST(STORED_WATCH_POLICIES),
};

/* Who hears spectators during a game. These numbers are stored and never change. */
enum watch_talk {
    STORED_VALUES(STORED_WATCH_TALKS, WATCH_TALK_)
    WATCH_TALK_LAST = STORED_LAST(STORED_WATCH_TALKS),
};

#define WATCH_MOVES_MAX 100U

struct watch_rule {
    enum watch_policy policy;
    uint8_t moves; /* only with WATCH_DELAY: spectators see the game this many moves late; 0: one
                      round late */
    enum watch_talk talk;
};

/* Reads the policy as people write it: "public", "friends", "none", "delay" (one round) or "delay
 * 10" (moves). `talk` stays unchanged. Returns false, with *rule unchanged, for any other text. */
bool watch_rule_parse(const char *text, struct watch_rule *rule) MUST_CHECK;

/* Reads who hears spectators: "all", "apart" or "off". Returns false, with *rule unchanged, for any
 * other text. */
bool watch_rule_parse_spectator_talk(const char *text, struct watch_rule *rule) MUST_CHECK;

/* Makes {"policy":"delay","moves":10,"talk":"apart"}, with `moves` only if the policy is delay. The
 * caller releases it. */
json_t *watch_rule_to_json(const struct watch_rule *rule) MUST_CHECK;

/* Reads a rule from the JSON object that watch_rule_to_json makes. Absent keys keep the values of
 * *rule, except `moves`, which becomes 0. Returns false, with *rule unchanged, if the object or a
 * value is invalid. */
bool watch_rule_from_json(const json_t *object, struct watch_rule *rule) MUST_CHECK;
