#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Sanctions against accounts, guests, addresses and keys, current and past. */

#define STORAGE_REASON_SIZE 513

/* The values of this enum are stored: they never change. */
enum storage_sanction_kind {
    STORED_VALUES(STORED_SANCTION_KINDS, STORAGE_SANCTION_)
    STORAGE_SANCTION_LAST = STORED_LAST(STORED_SANCTION_KINDS),
};
#define STORAGE_SANCTION_ALL                                                                       \
    ((1U << (STORAGE_SANCTION_LAST + 1)) -                                                         \
     1) /* the set of all kinds of sanctions: one bit for each kind */

#define STORAGE_SANCTION_FOR_GOOD INT64_MAX /* until_ms of a sanction that never ends by itself */

#define STORAGE_SANCTION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* number of the sanction, from 1; never used again */                       \
    NEXT(CHOICE(storage_sanction_kind, STORAGE_SANCTION_LAST), kind)                               \
    NEXT(LINK, account) /* account of the person; 0: an address, a key, or a guest by name */      \
    NEXT(TEXT(STORAGE_NAME_SIZE),                                                                  \
         name) /* name of the person when the sanction began; "" for an address or a key */        \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address) /* "192.0.2.0/24"; "" */                             \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint)                                              \
    NEXT(UINT32, scopes) /* flags of the sanction, defined by the caller */                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), reason)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), note) /* staff's note, which the person never sees */          \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(UINT8, by_role) /* number of the staff member's role, defined by the caller */            \
    NEXT(NUMBER, audit)  /* number of the sanction's row in the audit log */                       \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, until_ms)                                                                         \
    NEXT(NUMBER, ended_ms) /* when the sanction ended; 0: it is still in force */                  \
    NEXT(TEXT(STORAGE_NAME_SIZE), ended_by)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), appeal)                                                        \
    NEXT(NUMBER, appeal_ms) /* when the person appealed; 0: there is no appeal */

struct storage_sanction {
    STORAGE_MEMBERS(STORAGE_SANCTION_COLUMNS)
};

/* Adds a sanction, which gets a new number (*id) instead of sanction->id; its `ended_*` and
 * `appeal*` are not used. */
enum storage_result storage_sanction_add(struct storage *storage,
                                         const struct storage_sanction *sanction,
                                         int64_t *id) MUST_CHECK;
enum storage_result storage_sanction_read(struct storage *storage, int64_t id,
                                          struct storage_sanction *sanction) MUST_CHECK;

/* Each of these functions changes a sanction in force; STORAGE_NOT_FOUND when it is not in
 * force. */
enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by) MUST_CHECK;
/* Changes until_ms, reason, by_name, by_role and audit of a sanction in force. */
enum storage_result storage_sanction_edit(struct storage *storage,
                                          const struct storage_sanction *sanction) MUST_CHECK;
enum storage_result storage_sanction_set_appeal(struct storage *storage, int64_t id,
                                                int64_t appeal_ms, const char *appeal) MUST_CHECK;

typedef bool storage_sanction_row(void *context, const struct storage_sanction *sanction);

/* Lists all sanctions of an account, current and past, newest first. */
enum storage_result storage_sanctions_list_of_account(struct storage *storage, int64_t account,
                                                      storage_sanction_row *row,
                                                      void *context) MUST_CHECK;

/* Each of these functions lists sanctions in force: against an account (with account 0, against the
 * guest of that name); against a key ("" matches none); against any address; of the given kinds,
 * newest first; due to end at `now_ms` or before. */
enum storage_result storage_sanctions_list_on_person(struct storage *storage, int64_t account,
                                                     const char *name, storage_sanction_row *row,
                                                     void *context) MUST_CHECK;
enum storage_result storage_sanctions_list_on_key(struct storage *storage, const char *fingerprint,
                                                  storage_sanction_row *row,
                                                  void *context) MUST_CHECK;
enum storage_result storage_sanctions_list_on_addresses(struct storage *storage,
                                                        storage_sanction_row *row,
                                                        void *context) MUST_CHECK;
enum storage_result storage_sanctions_list_in_force(struct storage *storage, uint32_t kinds,
                                                    storage_sanction_row *row,
                                                    void *context) MUST_CHECK;
enum storage_result storage_sanctions_list_due_to_end(struct storage *storage, int64_t now_ms,
                                                      storage_sanction_row *row,
                                                      void *context) MUST_CHECK;

/* Lists the sanctions in force against a person who used this source, a network or a key
 * (person_sources.h), in the order of their numbers. */
enum storage_result storage_sanctions_list_by_source(struct storage *storage, const char *source,
                                                     storage_sanction_row *row,
                                                     void *context) MUST_CHECK;

/* Reads when the next sanction ends by itself; STORAGE_SANCTION_FOR_GOOD when none does. */
enum storage_result storage_sanctions_read_next_end(struct storage *storage,
                                                    int64_t *until_ms) MUST_CHECK;
