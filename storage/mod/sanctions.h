#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Sanctions against accounts, guests, addresses and keys, current and past. */

#define STORAGE_REASON_SIZE 513

/* Stored: the numbers never change. */
enum storage_sanction_kind {
    STORED_VALUES(STORED_SANCTION_KINDS, STORAGE_SANCTION_)
    STORAGE_SANCTION_LAST = STORED_LAST(STORED_SANCTION_KINDS),
};
#define STORAGE_SANCTION_ALL ((1U << (STORAGE_SANCTION_LAST + 1)) - 1) /* a bit each */

#define STORAGE_SANCTION_FOR_GOOD INT64_MAX /* until_ms */

#define STORAGE_SANCTION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* 1 or more, never used again */                                            \
    NEXT(CHOICE(storage_sanction_kind, STORAGE_SANCTION_LAST), kind)                               \
    NEXT(LINK, account)                       /* 0: an address, a key, or a guest by name */       \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)       /* name at that time; "" for an address or a key */  \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address) /* "192.0.2.0/24"; "" */                             \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint)                                              \
    NEXT(UINT32, scopes) /* bits defined by the caller */                                          \
    NEXT(TEXT(STORAGE_REASON_SIZE), reason)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), note) /* for staff only */                                     \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(UINT8, by_role) /* role number defined by the caller */                                   \
    NEXT(NUMBER, audit)  /* its row in the audit log */                                            \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, until_ms)                                                                         \
    NEXT(NUMBER, ended_ms) /* 0: in force */                                                       \
    NEXT(TEXT(STORAGE_NAME_SIZE), ended_by)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), appeal)                                                        \
    NEXT(NUMBER, appeal_ms) /* 0: no appeal */

struct storage_sanction {
    STORAGE_MEMBERS(STORAGE_SANCTION_COLUMNS)
};

/* Adds a sanction; its `id`, `ended_*` and `appeal*` are ignored and *id is set. */
enum storage_result storage_sanction_add(struct storage *storage,
                                         const struct storage_sanction *sanction,
                                         int64_t *id) MUST_CHECK;
enum storage_result storage_sanction_read(struct storage *storage, int64_t id,
                                          struct storage_sanction *sanction) MUST_CHECK;

/* These change a sanction in force; STORAGE_NOT_FOUND for any other. */
enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by) MUST_CHECK;
/* Changes `until_ms`, `reason`, `by_name`, `by_role` and `audit`. */
enum storage_result storage_sanction_edit(struct storage *storage,
                                          const struct storage_sanction *sanction) MUST_CHECK;
enum storage_result storage_sanction_set_appeal(struct storage *storage, int64_t id,
                                                int64_t appeal_ms, const char *appeal) MUST_CHECK;

typedef bool storage_sanction_row(void *context, const struct storage_sanction *sanction);

/* All sanctions of an account, current and past, newest first. */
enum storage_result storage_sanctions_of_account(struct storage *storage, int64_t account,
                                                 storage_sanction_row *row,
                                                 void *context) MUST_CHECK;

/* The sanctions in force: against an account or, with an account of 0, the guest of that name;
 * against a key ("" matches none); against any address; of these kinds (bits), newest first; due to
 * end at `now_ms` or before. */
enum storage_result storage_sanctions_on_person(struct storage *storage, int64_t account,
                                                const char *name, storage_sanction_row *row,
                                                void *context) MUST_CHECK;
enum storage_result storage_sanctions_on_key(struct storage *storage, const char *fingerprint,
                                             storage_sanction_row *row, void *context) MUST_CHECK;
enum storage_result storage_sanctions_on_addresses(struct storage *storage,
                                                   storage_sanction_row *row,
                                                   void *context) MUST_CHECK;
enum storage_result storage_sanctions_in_force(struct storage *storage, uint32_t kinds,
                                               storage_sanction_row *row, void *context) MUST_CHECK;
enum storage_result storage_sanctions_ending(struct storage *storage, int64_t now_ms,
                                             storage_sanction_row *row, void *context) MUST_CHECK;

/* The sanctions in force that have this source (sources.h), by number. */
enum storage_result storage_sanctions_at_source(struct storage *storage, const char *source,
                                                storage_sanction_row *row,
                                                void *context) MUST_CHECK;

/* The time at which the next sanction ends by itself; STORAGE_SANCTION_FOR_GOOD when none does. */
enum storage_result storage_sanctions_next_end(struct storage *storage,
                                               int64_t *until_ms) MUST_CHECK;
