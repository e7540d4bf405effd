#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/*
 * The audit log: actions of staff and of the house itself, and reports by players. Rows are only
 * ever added: triggers refuse changes. Each row's hash is BLAKE2b-256 over the hash of the row
 * before it and all of its own columns, so verification detects a row that somebody changed or
 * deleted in the file itself. The head (number and hash of the newest row) is stored separately, so
 * that missing newest rows are detected too. Somebody who forges both the rows and the head is
 * detected by comparing a head that was written down elsewhere.
 */

#define STORAGE_AUDIT_HASH_BYTES 32
#define STORAGE_AUDIT_TEXT_SIZE 262145

/* The columns in the order they are hashed: never change the order, add new ones at the end. A
 * column without meaning for a row is 0 or "" (or NULL). */
#define STORAGE_AUDIT_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, at_ms)                                                                           \
    NEXT(NUMBER, actor) /* account; 0: a guest, the owner or the house */                          \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), actor_name)                                            \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), actor_role) /* at that time */                         \
    NEXT(NUMBER, session)                               /* the gate's number of the connection */  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), address)                                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), fingerprint) /* of the key the connection showed */    \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), via)         /* "tui", "exec", "api", "system" */      \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), verb)                                                  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), arguments) /* as typed */                              \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         target_type) /* "user", "address", "key", "table", "game" */                              \
    NEXT(NUMBER, target_id)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), target_name) /* at that time */                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), scope)                                                 \
    NEXT(NUMBER, duration_ms) /* -1: for good */                                                   \
    NEXT(NUMBER, expires_ms)                                                                       \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), reason)                                                \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), note)                                                  \
    NEXT(NUMBER, report)                                                                           \
    NEXT(NUMBER, table_id)                                                                         \
    NEXT(NUMBER, game_id)                                                                          \
    NEXT(NUMBER, line_first) /* chat lines that are the evidence */                                \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_before) /* JSON */                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_after)                                           \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), result) /* "ok", "denied", "error" */                  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), error)  /* error code */                               \
    NEXT(NUMBER, reverses)                          /* the row that this one reverses */

struct storage_audit {
    int64_t id; /* 1, 2, 3 … without a gap */
    STORAGE_MEMBERS(STORAGE_AUDIT_COLUMNS)
};

/* Adds a row; its `id` is ignored and *id set. */
enum storage_result storage_audit_add(struct storage *storage, const struct storage_audit *row,
                                      int64_t *id) MUST_CHECK;

/* The number of the next row to be added. */
enum storage_result storage_audit_next(struct storage *storage, int64_t *id) MUST_CHECK;

/* "" and 0 match everything. The search covers the newest STORAGE_AUDIT_LOOK rows only. */
#define STORAGE_AUDIT_LOOK 100000
struct storage_audit_query {
    const char *actor, *target, *verb;
    int64_t since_ms;
    size_t most;
};

/* Texts are borrowed for the call. */
typedef bool storage_audit_row(void *context, const struct storage_audit *row);

/* The rows that match, newest first. */
enum storage_result storage_audit_each(struct storage *storage,
                                       const struct storage_audit_query *query,
                                       storage_audit_row *row, void *context) MUST_CHECK;

enum storage_audit_state {
    STORAGE_AUDIT_WHOLE = 0,
    STORAGE_AUDIT_CHANGED, /* the row does not match its hash */
    STORAGE_AUDIT_BROKEN,  /* it does not follow from the row before, or the head from it */
    STORAGE_AUDIT_MISSING, /* a row is missing */
};

struct storage_audit_check {
    enum storage_audit_state state;
    int64_t bad;                            /* the first bad row; 0: none */
    int64_t rows;                           /* rows checked */
    int64_t next;                           /* the row to continue with; 0: the end was reached */
    uint8_t head[STORAGE_AUDIT_HASH_BYTES]; /* hash of the last good row; zeros before the first */
};

/* Checks the rows `from` (1 or more) to `from` + `most` - 1. */
enum storage_result storage_audit_verify(struct storage *storage, int64_t from, int64_t most,
                                         struct storage_audit_check *check) MUST_CHECK;
