#pragma once

#include "storage/storage.h"

/* Who blocks whom, from talking to them or from playing with them. */

/* Stored: the numbers never change. */
enum storage_block {
    STORAGE_BLOCK_IGNORE = 0, /* does not want to read the other's lines */
    STORAGE_BLOCK_NOPLAY = 1, /* does not want to sit at a table with the other */
};

/* Adding a block that exists is STORAGE_TAKEN; removing one that does not, STORAGE_NOT_FOUND. */
enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t other,
                                      enum storage_block kind) MUST_CHECK;
enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t other,
                                         enum storage_block kind) MUST_CHECK;

/* Tells whether either of the two accounts blocks the other in this way. */
enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_so) MUST_CHECK;

typedef bool storage_block_row(void *context, int64_t other);

/* All accounts that block this one in this way or are blocked by it: ascending, each once. */
enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context) MUST_CHECK;

/* Reads the accounts that this one blocks: at most `capacity` into `others`, their number into
 * *count. */
enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *others, size_t capacity,
                                        size_t *count) MUST_CHECK;
