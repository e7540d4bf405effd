#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/*
 * The audit log: actions of staff and of the house itself, and reports by players. Rows are only
 * ever added: triggers refuse changes, but for sealing.
 *
 * Addresses and keys are sealed when they are old (storage_audit_seal): a keyed hash takes their
 * place, `#` and 32 hex digits, with a key that was made with the first row and stays in the
 * database. The hashes of the rows below cover the sealed form of these texts from the start, so
 * sealing leaves them valid.
 *
 * Each row's hash is BLAKE2b-256 over the hash of the row before it and all of its own columns. So
 * verification detects a row that somebody changed or deleted in the file itself. The head (number
 * and hash of the newest row) is stored separately, so that missing newest rows are detected too.
 * If somebody forges both the rows and the head, a head that was written down elsewhere reveals it.
 */

#define STORAGE_AUDIT_HASH_BYTES 32
#define STORAGE_AUDIT_TEXT_SIZE 262145

/* The columns in the order in which they are hashed. Never change the order; add new columns at the
 * end. A column without meaning for a row is 0 or "" (or NULL). */
#define STORAGE_AUDIT_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, at_ms)                                                                           \
    NEXT(NUMBER, actor) /* account that acted; 0: a guest, the owner or the house */               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), actor_name)                                            \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         actor_role)      /* role or name of the actor at that time */                             \
    NEXT(NUMBER, session) /* number that the gate gave the connection */                           \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), address)                                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), fingerprint) /* fingerprint of the connection's key */ \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         via) /* how the request came: "tui", "exec", "api", "system" */                           \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), verb)                                                  \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), arguments) /* arguments of the command as typed */     \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         target_type) /* kind of target: "user", "address", "key", "table", "game" */              \
    NEXT(NUMBER, target_id)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         target_name) /* role or name of the target at that time */                                \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), scope)                                                 \
    NEXT(NUMBER, duration_ms) /* duration of a sanction; -1: for good */                           \
    NEXT(NUMBER, expires_ms)                                                                       \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), reason)                                                \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), note)                                                  \
    NEXT(NUMBER, report)                                                                           \
    NEXT(NUMBER, table_id)                                                                         \
    NEXT(NUMBER, game_id)                                                                          \
    NEXT(NUMBER, line_first) /* first chat line of the evidence */                                 \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_before) /* state before the action, as JSON */   \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), state_after)                                           \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE),                                                        \
         result) /* result of the action: "ok", "denied", "error" */                               \
    NEXT(BORROWED(STORAGE_AUDIT_TEXT_SIZE), error) /* error code of a failed action */             \
    NEXT(NUMBER, reverses) /* number of the row whose action this one reverses */

struct storage_audit {
    int64_t id; /* number of the row: 1, 2, 3 … without a gap */
    STORAGE_MEMBERS(STORAGE_AUDIT_COLUMNS)
};

/* Adds a row to the audit log. The row gets the next number (*id) instead of row->id. */
enum storage_result storage_audit_add(struct storage *storage, const struct storage_audit *row,
                                      int64_t *id) MUST_CHECK;

/* Reads the number that the next added row will have. */
enum storage_result storage_audit_read_next_id(struct storage *storage, int64_t *id) MUST_CHECK;

/* Selects rows of the audit log. "" and 0 match every row. The search covers the newest
 * STORAGE_AUDIT_LOOK rows only. */
#define STORAGE_AUDIT_LOOK 100000
struct storage_audit_query {
    const char *actor, *target, *verb;
    int64_t since_ms;
    size_t most;
};

/* Receives a row; its texts are borrowed for the call. */
typedef bool storage_audit_row(void *context, const struct storage_audit *row);

/* Lists the audit log's rows that match the query, newest first. */
enum storage_result storage_audit_each(struct storage *storage,
                                       const struct storage_audit_query *query,
                                       storage_audit_row *row, void *context) MUST_CHECK;

/* Seals the addresses and keys of up to `max_rows` rows from before this time, the oldest first:
 * those of whoever acted, and, where an address or a key is the target or among the arguments, the
 * arguments, the target's name and the states before and after. Sets *count to the rows looked at:
 * fewer than max_rows at the end. */
enum storage_result storage_audit_seal(struct storage *storage, int64_t before_ms, size_t max_rows,
                                       int64_t *count) MUST_CHECK;

enum storage_audit_state {
    STORAGE_AUDIT_WHOLE = 0,
    STORAGE_AUDIT_CHANGED, /* the row does not match its hash */
    STORAGE_AUDIT_BROKEN,  /* the row does not continue the chain of hashes */
    STORAGE_AUDIT_MISSING, /* a row is missing */
};

struct storage_audit_check {
    enum storage_audit_state state;
    int64_t bad;  /* number of the first bad row; 0: none */
    int64_t rows; /* number of rows checked */
    int64_t next; /* number of the row to continue with; 0: the end was reached */
    uint8_t head[STORAGE_AUDIT_HASH_BYTES]; /* hash of the last good row; zeros: no row yet */
};

/* Checks the audit log's rows from number `from_id` (1 or more) to `from_id` + `max_rows` - 1. */
enum storage_result storage_audit_verify(struct storage *storage, int64_t from_id, int64_t max_rows,
                                         struct storage_audit_check *check) MUST_CHECK;
