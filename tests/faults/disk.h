#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A simulated disk in memory, on which SQLite stores its files. A write goes to the system's cache
 * and reaches the disk only with a sync: readers see the write at once, and the write survives the
 * end of its process, but it survives a power cut only after a sync of its file. The disk's
 * behaviour depends only on its seed and on the calls. The name of a new or removed file becomes
 * durable with the first sync of a file that was created as a log or journal, as in SQLite's own
 * unix files. A failed sync makes any part of the data durable. The system counts the rest as
 * written and never tries again to write it (Linux since 4.13), so only writing the data again
 * helps.
 */
struct disk;

#define DISK_NAME "memory" /* the name of this disk for storage_open_on_simulated_disk */

enum disk_op {
    DISK_OPEN = 1,
    DISK_WRITE = 2,
    DISK_SYNC = 4,
    DISK_TRUNCATE = 8,
    DISK_REMOVE = 16,
    DISK_CHANGES = DISK_WRITE | DISK_SYNC | DISK_TRUNCATE | DISK_REMOVE,
};

/* Creates an empty disk, on which the storage opens files from now on. Ends the process when memory
 * is exhausted. */
struct disk *disk_new(uint64_t seed);

/* Frees the disk. Files that are still open may only be closed afterwards. Takes NULL. */
void disk_free(struct disk *disk);

/* Makes the storage open files on this disk from now on. Returns the disk used before. */
struct disk *disk_use_for_new_files(struct disk *disk);

/* A fault of the disk: `times` operations of the kinds `ops` fail, beginning with the nth of them
 * (1: the next one). */
struct disk_fault {
    unsigned ops; /* the kinds of operations, enum disk_op values or-ed; 0: no fault */
    uint64_t nth;
    uint64_t times;
    int reason;    /* the error: EIO, ENOSPC, EROFS … */
    bool is_short; /* a write that fails writes its first half */
};
void disk_set_fault(struct disk *disk, struct disk_fault fault);

/* Whether a fault has occurred. */
bool disk_has_failed(const struct disk *disk);

/* Limits the total size of all files; SIZE_MAX, the initial value, means no limit. */
void disk_set_size_limit(struct disk *disk, size_t max_bytes);
size_t disk_size(const struct disk *disk);

/* Makes the disk read-only from now on, or writable again. No file of a read-only disk can be
 * changed, created or opened for writing. */
void disk_set_read_only(struct disk *disk, bool is_read_only);

/* Introduces a fault that the data check must notice: from now on, syncs do nothing but report
 * success. */
void disk_ignore_syncs(struct disk *disk, bool is_ignored);

/* Cuts the power instead of carrying out the nth operation of these kinds (1: the next one); 0:
 * never. After the cut all operations fail. */
void disk_cut_power_at_operation(struct disk *disk, unsigned operation_kinds, uint64_t nth);
void disk_cut_power(struct disk *disk);

/* Whether the power will be cut at one of the next operation_count operations. */
bool disk_is_near_power_cut(const struct disk *disk, uint64_t operation_count);
bool disk_is_powered_off(const struct disk *disk);

/* What happens in a power cut to changes that are not durable: */
enum disk_loss {
    DISK_LOSE_ALL,
    DISK_KEEP_ALL,
    DISK_LOSE_SOME, /* each change is kept, lost or torn at sector borders, whatever happens to
                       later changes */
    DISK_LOSE_LAST, /* all changes before one torn change are kept, and all later changes are lost
                     */
};
void disk_power_on(struct disk *disk, enum disk_loss loss);

/* Simulates the end of the process that uses the disk: from now on the process's open files can
 * only be closed. With `is_cache_lost`, files whose sync has failed are read from the disk again,
 * without the cache. */
void disk_end_process(struct disk *disk, bool is_cache_lost);

/* Copies the files, as readers see them now, to another disk for inspection. The copy has no faults
 * and no power cuts. */
struct disk *disk_copy(const struct disk *disk);

/* Hashes the names and bytes of all files, as readers see them now. */
uint64_t disk_hash(const struct disk *disk);
