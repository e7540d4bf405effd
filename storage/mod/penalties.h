#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Penalties that must survive a restart of the core: delays after wrong passwords, and counts of
 * new accounts by source. */

#define STORAGE_NAME_HASH_SIZE 65 /* size of a name's hash in hex with its NUL */

#define STORAGE_BACKOFF_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(TEXT(STORAGE_NAME_HASH_SIZE), name_hash)                                                 \
    NEXT(UINT32, failures) /* number of failed sign-in attempts in a row */                        \
    NEXT(NUMBER, until_ms) /* no sign-in attempt is allowed before this time */

struct storage_backoff {
    STORAGE_MEMBERS(STORAGE_BACKOFF_COLUMNS)
};

/* Reads the delay after wrong passwords for a name; STORAGE_NOT_FOUND when no attempt to sign in
 * has failed since the last success. */
enum storage_result storage_backoff_read(struct storage *storage, const char *name_hash,
                                         struct storage_backoff *backoff) MUST_CHECK;

/* Adds or replaces the sign-in delay of a name. When more than `max_delays` (1 or more) delays are
 * stored, deletes those that end first. */
enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff,
                                         uint32_t max_delays) MUST_CHECK;

/* Deletes the sign-in delay of a name; returns STORAGE_OK also when the name has none. */
enum storage_result storage_backoff_remove(struct storage *storage,
                                           const char *name_hash) MUST_CHECK;

#define STORAGE_REGISTRATION_COLUMNS(FIRST, NEXT)                                                  \
    FIRST(TEXT(STORAGE_ADDRESS_SIZE),                                                              \
          source)       /* address or network from which the accounts were created */              \
    NEXT(UINT32, count) /* number of accounts created from the source */                           \
    NEXT(NUMBER, first_ms)

struct storage_registration {
    STORAGE_MEMBERS(STORAGE_REGISTRATION_COLUMNS)
};

/* Reads the count of accounts created from a source; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_registration_read(struct storage *storage, const char *source,
                                              struct storage_registration *registration) MUST_CHECK;

/* Adds or replaces the count of accounts created from a source. */
enum storage_result
storage_registration_save(struct storage *storage,
                          const struct storage_registration *registration) MUST_CHECK;

/* Deletes the counts of new accounts that began at `until_ms` or before. */
enum storage_result storage_registrations_delete_until(struct storage *storage,
                                                       int64_t until_ms) MUST_CHECK;
