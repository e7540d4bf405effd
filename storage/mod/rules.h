#pragma once

#include "storage/storage.h"

/* House rules that staff change while the house runs: each is a number, found by its kind and
 * name. */

#define STORAGE_RULE_NAME_SIZE 129

/* The values of this enum are stored: they never change. */
enum storage_rule {
    STORAGE_RULE_SLOW = 0,   /* seconds that a person must wait between two lines in a channel */
    STORAGE_RULE_FROZEN = 1, /* only staff may talk in a channel */
    STORAGE_RULE_OFF = 2,    /* a command or a game is disabled for players */
    STORAGE_RULE_ALLOWED = 3, /* an address ("ip=…") or a key ("key=…") is exempt from bans and from
                                 limits for new accounts */
    STORAGE_RULE_INVITED = 4, /* until when (Unix ms) a code, whose hash is the name, lets somebody
                                 sign up */
};

/* Sets the rule; a value of 0 deletes it. */
enum storage_result storage_rule_set(struct storage *storage, enum storage_rule kind,
                                     const char *name, int64_t value) MUST_CHECK;

/* Reads a rule; *value is 0 when there is no such rule. */
enum storage_result storage_rule_read(struct storage *storage, enum storage_rule kind,
                                      const char *name, int64_t *value) MUST_CHECK;

/* Lists all rules of a kind in the order of their names, until `row` returns false. */
enum storage_result storage_rules_each(struct storage *storage, enum storage_rule kind,
                                       bool (*row)(void *context, const char *name, int64_t value),
                                       void *context) MUST_CHECK;
