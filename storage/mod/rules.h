#pragma once

#include "storage/storage.h"

/* House rules that staff change at run time: a number for each kind and name. */

#define STORAGE_RULE_NAME_SIZE 129

/* Stored: the numbers never change. */
enum storage_rule {
    STORAGE_RULE_SLOW = 0,    /* a channel: seconds between two lines of one person */
    STORAGE_RULE_FROZEN = 1,  /* a channel: only staff talk there */
    STORAGE_RULE_OFF = 2,     /* a command or a game: disabled for players */
    STORAGE_RULE_ALLOWED = 3, /* "ip=…", "key=…": exempt from bans and newcomer limits */
};

/* Sets the rule; a value of 0 deletes it. */
enum storage_result storage_rule_set(struct storage *storage, enum storage_rule kind,
                                     const char *name, int64_t value) MUST_CHECK;

/* *value is 0 when there is no such rule. */
enum storage_result storage_rule_read(struct storage *storage, enum storage_rule kind,
                                      const char *name, int64_t *value) MUST_CHECK;

/* Lists all rules of a kind by name, until `row` returns false. */
enum storage_result storage_rules_each(struct storage *storage, enum storage_rule kind,
                                       bool (*row)(void *context, const char *name, int64_t value),
                                       void *context) MUST_CHECK;
