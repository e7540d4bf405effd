#pragma once

#include "storage/mod/rules.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Who took a staff decision that is in force and is not a sanction (sanctions.h records its own):
 * one decision for each kind and name. */

/* Stored: the numbers never change. */
enum storage_decision_kind {
    STORAGE_DECISION_HOLD = 0,   /* an account, by its number: it is pending (held) */
    STORAGE_DECISION_SLOW = 1,   /* a chat: slow mode */
    STORAGE_DECISION_FROZEN = 2, /* a chat: only staff talk there */
    STORAGE_DECISION_NAME = 3,   /* an account, by its number: staff set its name */
    STORAGE_DECISION_LAST = STORAGE_DECISION_NAME,
};

#define STORAGE_DECISION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(CHOICE(storage_decision_kind, STORAGE_DECISION_LAST), kind)                              \
    NEXT(TEXT(STORAGE_RULE_NAME_SIZE), name)                                                       \
    NEXT(UINT8, by_role) /* the caller's number */                                                 \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(NUMBER, at_ms)

struct storage_decision {
    STORAGE_MEMBERS(STORAGE_DECISION_COLUMNS)
};

/* Stores the decision and replaces an earlier one. */
enum storage_result storage_decision_set(struct storage *storage,
                                         const struct storage_decision *decision) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is no such decision. */
enum storage_result storage_decision_read(struct storage *storage, enum storage_decision_kind kind,
                                          const char *name,
                                          struct storage_decision *decision) MUST_CHECK;

/* Deletes the decision, if there is one. */
enum storage_result storage_decision_delete(struct storage *storage,
                                            enum storage_decision_kind kind,
                                            const char *name) MUST_CHECK;
