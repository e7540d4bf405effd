#pragma once

#include "storage/mod/rules.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Staff decisions in force, and which staff member took each. There is at most one decision for
 * each kind and name. Sanctions are stored in sanctions.h. */

/* The values of this enum are stored: they never change. */
enum storage_decision_kind {
    /* staff made an account pending; `name` is the account's number as text */
    STORAGE_DECISION_HOLD = 0,
    STORAGE_DECISION_SLOW = 1,   /* a chat is in slow mode */
    STORAGE_DECISION_FROZEN = 2, /* only staff may talk in a chat */
    /* staff renamed an account; `name` is the account's number as text */
    STORAGE_DECISION_NAME = 3,
    STORAGE_DECISION_LAST = STORAGE_DECISION_NAME,
};

#define STORAGE_DECISION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(CHOICE(storage_decision_kind, STORAGE_DECISION_LAST), kind)                              \
    NEXT(TEXT(STORAGE_RULE_NAME_SIZE), name)                                                       \
    NEXT(UINT8, by_role) /* number of the staff member's role, defined by the caller */            \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(NUMBER, at_ms)

struct storage_decision {
    STORAGE_MEMBERS(STORAGE_DECISION_COLUMNS)
};

/* Stores a decision and replaces an earlier one of that kind and name. */
enum storage_result storage_decision_set(struct storage *storage,
                                         const struct storage_decision *decision) MUST_CHECK;

/* Reads a decision; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_decision_read(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name,
                                          struct storage_decision *decision) MUST_CHECK;

/* Deletes the decision; STORAGE_OK also when there is none. */
enum storage_result storage_decision_delete(struct storage *storage,
                                            enum storage_decision_kind kind,
                                            const char *name) MUST_CHECK;
