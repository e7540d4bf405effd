#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A disk in memory, put under the database library. It knows which data have reached the disk and
 * which are only in the system's cache. Its behaviour depends only on its seed and on the calls.
 *
 * Readers see a write at once, and it survives its process; it survives a power cut only after a
 * sync of its file. The name of a new file, or of a removed one, becomes durable with the first
 * sync of a file that was created as a log or journal, as in the library's own unix files. A failed
 * sync makes any part of its data durable; the rest counts as written and is never tried again
 * (Linux since 4.13), so only writing the data again helps.
 */
struct disk;

#define DISK_NAME "memory" /* the name to pass to storage_open_on */

enum disk_op {
    DISK_OPEN = 1,
    DISK_WRITE = 2,
    DISK_SYNC = 4,
    DISK_TRUNCATE = 8,
    DISK_REMOVE = 16,
    DISK_CHANGES = DISK_WRITE | DISK_SYNC | DISK_TRUNCATE | DISK_REMOVE,
};

/* Creates an empty disk, on which files are opened from now on. Ends the process when memory is
 * exhausted. */
struct disk *disk_new(uint64_t seed);

/* Call it after its files are closed, or when they will only be closed. Takes NULL. */
void disk_free(struct disk *disk);

/* Opens files on this disk from now on. Returns the disk used before. */
struct disk *disk_use(struct disk *disk);

/* How many operations of these kinds were requested so far, failed ones included. */
uint64_t disk_count(const struct disk *disk, unsigned ops);

/* The nth of these operations from now on (from 1) fails, and the `times` - 1 following ones
 * too. */
struct disk_fault {
    unsigned ops; /* enum disk_op values, or-ed; 0: no fault */
    uint64_t nth;
    uint64_t times;
    int reason;    /* EIO, ENOSPC, EROFS … */
    bool is_short; /* half of the write is done before it fails */
};
void disk_fail(struct disk *disk, struct disk_fault fault);

/* Whether a fault has occurred. */
bool disk_has_failed(const struct disk *disk);

/* Limits the bytes of all files together; SIZE_MAX, the initial value, means no limit. */
void disk_limit(struct disk *disk, size_t bytes);
size_t disk_size(const struct disk *disk);

/* From now on nothing can be changed, created or opened for writing. */
void disk_set_read_only(struct disk *disk, bool is_read_only);

/* From now on syncs do nothing but report success. A control: the storage relies on syncs. */
void disk_ignore_syncs(struct disk *disk, bool is_ignored);

/* Cuts the power at the nth of these operations from now on (from 1), which is not carried out; 0:
 * never. After the cut all operations fail. */
void disk_cut_at(struct disk *disk, unsigned ops, uint64_t nth);
void disk_cut(struct disk *disk);

/* Whether the power will be cut at one of the next `changes` operations. */
bool disk_is_near_cut(const struct disk *disk, uint64_t changes);
bool disk_is_off(const struct disk *disk);

/* What happens in a power cut to changes that are not durable. */
enum disk_loss {
    DISK_LOSE_ALL,
    DISK_KEEP_ALL,
    DISK_LOSE_SOME, /* each change is kept, lost or torn at sector borders, independently of later
                       changes */
    DISK_LOSE_LAST, /* all changes up to a torn one are kept, none after it */
};
void disk_power_on(struct disk *disk, enum disk_loss loss);

/* The process that had the disk open has ended: its files only accept being closed. With
 * `is_cache_lost`, files whose sync has failed are read from the disk again, without the cache. */
void disk_abandon(struct disk *disk, bool is_cache_lost);

/* A copy of the files as they are seen now, without faults, for inspection. The power of a copy is
 * not cut. */
struct disk *disk_copy(const struct disk *disk);

/* A hash of all names and bytes as they are seen now. */
uint64_t disk_hash(const struct disk *disk);
