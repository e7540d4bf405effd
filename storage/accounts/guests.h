#ifndef STORAGE_ACCOUNTS_GUESTS_H
#define STORAGE_ACCOUNTS_GUESTS_H

#include "storage/accounts/connections.h"
#include "storage/storage.h"

/* Guests who are in the house or were a short while ago. */

#define STORAGE_GUESTS_MAX 4096    /* names kept in all: those seen last */
#define STORAGE_GUESTS_EACH_MAX 16 /* of one network */

struct storage_guest {
    char name[STORAGE_NAME_SIZE];
    char net[STORAGE_ADDRESS_SIZE]; /* the address, IPv6: its /64 */
    char address[STORAGE_ADDRESS_SIZE];
    char fingerprint[STORAGE_FINGERPRINT_SIZE]; /* of a key that was shown; "" */
    char transport[STORAGE_WORD_SIZE];
    int64_t seen_ms; /* here last */
};

/* Adds or replaces one, and forgets those seen before `forget_ms` and those beyond the numbers
 * above. */
enum storage_result storage_guest_note(struct storage *storage, const struct storage_guest *guest,
                                       int64_t forget_ms) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is none of that name. */
enum storage_result storage_guest_read(struct storage *storage, const char *name,
                                       struct storage_guest *guest) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_guest_row(void *context, const struct storage_guest *guest);

/* Those of a network, newest first. */
enum storage_result storage_guests_from(struct storage *storage, const char *net,
                                        storage_guest_row *row, void *context) MUST_CHECK;

#endif
