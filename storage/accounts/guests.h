#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Guests who are connected or were a short while ago. */

#define STORAGE_GUESTS_MAX 4096    /* guests kept in all: those seen last */
#define STORAGE_GUESTS_EACH_MAX 16 /* guests kept per network */

#define STORAGE_GUEST_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_NAME_SIZE), name)                                                           \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), net) /* the address; for IPv6 its /64 */                      \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint) /* of the key shown; "" */                   \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, seen_ms) /* last seen */

struct storage_guest {
    STORAGE_MEMBERS(STORAGE_GUEST_COLUMNS)
};

/* Adds or replaces a guest. Forgets guests seen before `forget_ms` and the oldest beyond the limits
 * above. */
enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t forget_ms) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is no guest of that name. */
enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest) MUST_CHECK;

typedef bool storage_guest_row(void *context, const struct storage_guest *guest);

/* The guests of a network, newest first. */
enum storage_result storage_guests_each(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context) MUST_CHECK;
