#ifndef STORAGE_PEOPLE_REGARDS_H
#define STORAGE_PEOPLE_REGARDS_H

#include "storage/accounts/connections.h"
#include "storage/storage.h"

/* What accounts want of each other, and from where they are used. */

/* Stored: the numbers never change. */
enum storage_regard {
    STORAGE_REGARD_IGNORE = 0, /* does not want to hear */
    STORAGE_REGARD_NOPLAY = 1, /* does not want to sit with */
};

/* STORAGE_TAKEN: so already. STORAGE_NOT_FOUND: was not so. */
enum storage_result storage_regard_add(struct storage *storage, int64_t account, int64_t other,
                                       enum storage_regard kind) MUST_CHECK;
enum storage_result storage_regard_remove(struct storage *storage, int64_t account, int64_t other,
                                          enum storage_regard kind) MUST_CHECK;

/* Whether either of the two has that regard of the other. */
enum storage_result storage_regard_between(struct storage *storage, int64_t account, int64_t other,
                                           enum storage_regard kind, bool *is_so) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_regard_row(void *context, int64_t other);

/* All who have that regard of the account, or of whom it has it; ascending, each once. */
enum storage_result storage_regards_both_ways(struct storage *storage, int64_t account,
                                              enum storage_regard kind, storage_regard_row *row,
                                              void *context) MUST_CHECK;

/* The account's: at most `capacity` accounts into `others`, *count how many were. */
enum storage_result storage_regards_read(struct storage *storage, int64_t account,
                                         enum storage_regard kind, int64_t *others, size_t capacity,
                                         size_t *count) MUST_CHECK;

/* That account came in from there with that key (""): counted, and what is older than `forget_ms`
 * forgotten. */
enum storage_result storage_sign_in_note(struct storage *storage,
                                         const struct storage_connection *from, int64_t at_ms,
                                         int64_t forget_ms) MUST_CHECK;

struct storage_sign_in {
    char name[STORAGE_NAME_SIZE]; /* the account's */
    char address[STORAGE_ADDRESS_SIZE];
    char fingerprint[STORAGE_FINGERPRINT_SIZE];
    int64_t first_ms, last_ms;
    uint32_t count;
};

/* Return false to stop. */
typedef bool storage_sign_in_row(void *context, const struct storage_sign_in *sign_in);

/* Where the account was used, newest first. */
enum storage_result storage_sign_ins_of(struct storage *storage, int64_t account,
                                        storage_sign_in_row *row, void *context) MUST_CHECK;

/* Other accounts that were used from an address or with a key this one was used with: a row for
 * each thing they share, newest first. */
enum storage_result storage_sign_ins_like(struct storage *storage, int64_t account,
                                          storage_sign_in_row *row, void *context) MUST_CHECK;

/* Accounts that were used from the address or with the key (""), newest first. */
enum storage_result storage_sign_ins_from(struct storage *storage, const char *address,
                                          const char *fingerprint, storage_sign_in_row *row,
                                          void *context) MUST_CHECK;

#endif
