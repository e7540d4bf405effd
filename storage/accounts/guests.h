#pragma once

#include "storage/accounts/connections.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Guests who are connected, or were until recently. */

#define STORAGE_GUESTS_MAX 4096    /* the most guests stored */
#define STORAGE_GUESTS_EACH_MAX 16 /* the most guests stored for one network */

#define STORAGE_GUEST_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_NAME_SIZE), name)                                                           \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE),                                                               \
         net) /* the guest's IPv4 address, or the /64 network of an IPv6 address */                \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE),                                                           \
         fingerprint) /* fingerprint of the guest's key; "" without a key */                       \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, seen_ms) /* when the guest was last seen */

struct storage_guest {
    STORAGE_MEMBERS(STORAGE_GUEST_COLUMNS)
};

/* Adds a guest or replaces it. Deletes guests last seen before `delete_before_ms`, and the oldest
 * ones beyond the limits. */
enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t delete_before_ms) MUST_CHECK;

/* Deletes guests last seen before `before_ms`. */
enum storage_result storage_guests_delete_before(struct storage *storage,
                                                 int64_t before_ms) MUST_CHECK;

/* Reads a guest; STORAGE_NOT_FOUND when no guest has that name. */
enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest) MUST_CHECK;

typedef bool storage_guest_row(void *context, const struct storage_guest *guest);

/* Lists the guests of a network, newest first. */
enum storage_result storage_guests_each(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context) MUST_CHECK;
