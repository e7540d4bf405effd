#ifndef STORAGE_PEOPLE_BLOCKS_H
#define STORAGE_PEOPLE_BLOCKS_H

#include "storage/storage.h"

/* What accounts want of each other, and from where they are used. */

/* Stored: the numbers never change. */
enum storage_block {
    STORAGE_BLOCK_IGNORE = 0, /* does not want to hear */
    STORAGE_BLOCK_NOPLAY = 1, /* does not want to sit with */
};

/* STORAGE_TAKEN: so already. STORAGE_NOT_FOUND: was not so. */
enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t other,
                                      enum storage_block kind) MUST_CHECK;
enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t other,
                                         enum storage_block kind) MUST_CHECK;

/* Whether either of the two has that regard of the other. */
enum storage_result storage_block_between(struct storage *storage, int64_t account, int64_t other,
                                          enum storage_block kind, bool *is_so) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_block_row(void *context, int64_t other);

/* All who have that regard of the account, or of whom it has it; ascending, each once. */
enum storage_result storage_blocks_both_ways(struct storage *storage, int64_t account,
                                             enum storage_block kind, storage_block_row *row,
                                             void *context) MUST_CHECK;

/* The account's: at most `capacity` accounts into `others`, *count how many were. */
enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *others, size_t capacity,
                                        size_t *count) MUST_CHECK;

#endif
