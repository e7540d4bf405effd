#ifndef STORAGE_MOD_AUDIT_H
#define STORAGE_MOD_AUDIT_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/*
 * What staff, the house itself and those who report somebody did. Rows are only ever added:
 * triggers refuse changes. Each row's hash is BLAKE2b-256 over the hash of the row before it and
 * all of its own columns, so a row changed or taken away by whoever writes the file itself shows.
 * The newest row's number and hash are kept apart, so that missing newest rows show too; whoever
 * could forge both is found out by a head that was written down elsewhere.
 */

#define STORAGE_AUDIT_HASH_BYTES 32
#define STORAGE_AUDIT_TEXT_SIZE 262145

/* The columns in the order they are hashed: never change it, add at the end. Numbers are 0, texts
 * "" (or NULL) where they mean nothing. */
#define STORAGE_AUDIT_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, at_ms)                                                                           \
    NEXT(NUMBER, actor) /* account; 0: a guest, the owner, the house */                            \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), actor_name)                                            \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), actor_role) /* then */                                 \
    NEXT(NUMBER, session)                               /* the gate's number of the connection */  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), address)                                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), fingerprint) /* of the key the connection showed */    \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), via)         /* "tui", "exec", "api", "system" */      \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), verb)                                                  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), arguments) /* as typed */                              \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         target_type) /* "user", "address", "key", "table", "game" */                              \
    NEXT(NUMBER, target_id)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), target_name) /* then */                                \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), scope)                                                 \
    NEXT(NUMBER, duration_ms) /* -1: for good */                                                   \
    NEXT(NUMBER, expires_ms)                                                                       \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), reason)                                                \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), note)                                                  \
    NEXT(NUMBER, report)                                                                           \
    NEXT(NUMBER, table_id)                                                                         \
    NEXT(NUMBER, game_id)                                                                          \
    NEXT(NUMBER, line_first) /* chat lines that show it */                                         \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_before) /* JSON */                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_after)                                           \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), result) /* "ok", "denied", "error" */                  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), error)  /* code */                                     \
    NEXT(NUMBER, reverses)                          /* the row whose effect this one undoes */

struct storage_audit {
    int64_t id; /* 1, 2, 3 … without a gap */
    STORAGE_MEMBERS(STORAGE_AUDIT_COLUMNS)
};

/* Adds a row; its `id` is ignored and *id set. */
enum storage_result storage_audit_add(struct storage *storage, const struct storage_audit *row,
                                      int64_t *id) MUST_CHECK;

/* The number the next row will have. */
enum storage_result storage_audit_next(struct storage *storage, int64_t *id) MUST_CHECK;

/* "" and 0 match everything. Only the newest STORAGE_AUDIT_LOOK rows are looked through. */
#define STORAGE_AUDIT_LOOK 100000
struct storage_audit_query {
    const char *actor, *target, *verb;
    int64_t since_ms;
    size_t most;
};

/* Return false to stop. Texts are borrowed for the call. */
typedef bool storage_audit_row(void *context, const struct storage_audit *row);

/* The rows that match, newest first. */
enum storage_result storage_audit_each(struct storage *storage,
                                       const struct storage_audit_query *query,
                                       storage_audit_row *row, void *context) MUST_CHECK;

enum storage_audit_state {
    STORAGE_AUDIT_WHOLE = 0,
    STORAGE_AUDIT_CHANGED, /* the row does not fit its hash */
    STORAGE_AUDIT_BROKEN,  /* it does not follow from the one before */
    STORAGE_AUDIT_MISSING, /* there is no such row though there has to be */
};

struct storage_audit_check {
    enum storage_audit_state state;
    int64_t bad;  /* the first row that is not as it was written; 0: none */
    int64_t rows; /* that were looked at */
    int64_t next; /* where to go on; 0: the end was reached */
    uint8_t head[STORAGE_AUDIT_HASH_BYTES]; /* of the last good row; zeros before the first */
};

/* Looks at rows `from` (1 or more) to `from` + `most` - 1. */
enum storage_result storage_audit_verify(struct storage *storage, int64_t from, int64_t most,
                                         struct storage_audit_check *check) MUST_CHECK;

#endif
