#pragma once

#include "storage/storage.h"

/* Blocks between accounts. One account can block another one's chat lines, or refuse to play with
 * that account. */

/* The values of this enum are stored: they never change. */
enum storage_block {
    STORAGE_BLOCK_IGNORE = 0, /* the account does not want to read lines of the blocked account */
    /* the account does not want to sit at a table with the blocked account */
    STORAGE_BLOCK_NOPLAY = 1,
};

/* storage_block_add returns STORAGE_TAKEN when the block exists already; storage_block_remove
 * returns STORAGE_NOT_FOUND when it does not exist. */
enum storage_result storage_block_add(struct storage *storage, int64_t account, int64_t blocked,
                                      enum storage_block kind) MUST_CHECK;
enum storage_result storage_block_remove(struct storage *storage, int64_t account, int64_t blocked,
                                         enum storage_block kind) MUST_CHECK;

/* Sets *is_blocked to whether one of the two accounts blocks the other, with a block of this kind.
 */
enum storage_result storage_block_exists_between(struct storage *storage, int64_t account,
                                                 int64_t other, enum storage_block kind,
                                                 bool *is_blocked) MUST_CHECK;

typedef bool storage_block_row(void *context, int64_t other);

/* Lists all accounts that block this account, or are blocked by it, with a block of this kind:
 * ascending, each once. */
enum storage_result storage_blocks_each_both_ways(struct storage *storage, int64_t account,
                                                  enum storage_block kind, storage_block_row *row,
                                                  void *context) MUST_CHECK;

/* Reads the accounts that this account blocks: at most `capacity` into `blocked`. Sets *count to
 * their number. */
enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *blocked, size_t capacity,
                                        size_t *count) MUST_CHECK;
