#ifndef TESTS_FAULTS_DISK_H
#define TESTS_FAULTS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A disk in memory that knows what has reached the plate and what only the system's cache, put
 * under the database library. What it does follows from its seed and the calls alone.
 *
 * A write is seen by readers at once and survives its process, but a power cut only after a sync of
 * its file. A new file's name, or one that was removed, is settled by the first sync of a file that
 * was made as a log or journal, as the library's own unix files do it. A sync that fails has
 * settled any part of what it should have; the rest is taken for written and never tried again
 * (Linux since 4.13), so that only writing it anew helps.
 */
struct disk;

#define DISK_NAME "memory" /* for storage_open_on */

enum disk_op {
    DISK_OPEN = 1,
    DISK_WRITE = 2,
    DISK_SYNC = 4,
    DISK_TRUNCATE = 8,
    DISK_REMOVE = 16,
    DISK_CHANGES = DISK_WRITE | DISK_SYNC | DISK_TRUNCATE | DISK_REMOVE,
};

/* The disk is empty, and the one that files are opened on from now on. Dies when memory is out. */
struct disk *disk_new(uint64_t seed);

/* Its files are closed, or will not be used again but for closing before this. Takes NULL. */
void disk_free(struct disk *disk);

/* Files are opened on this one from now on; the one they were opened on before. */
struct disk *disk_use(struct disk *disk);

/* How many of these operations were asked for so far, failed ones included. */
uint64_t disk_count(const struct disk *disk, unsigned ops);

/* The nth (from 1) of these operations from now on fails, and `times` - 1 more of them after it. */
struct disk_fault {
    unsigned ops; /* enum disk_op, or-ed; 0: none */
    uint64_t nth;
    uint64_t times;
    int reason;    /* EIO, ENOSPC, EROFS … */
    bool is_short; /* half of a write is done first */
};
void disk_fail(struct disk *disk, struct disk_fault fault);

/* True once a fault has struck. */
bool disk_has_failed(const struct disk *disk);

/* Files have so many bytes in all; SIZE_MAX, as at first, is without end. */
void disk_limit(struct disk *disk, size_t bytes);
size_t disk_size(const struct disk *disk);

/* Nothing can be changed, made or opened for writing any more. */
void disk_set_read_only(struct disk *disk, bool is_read_only);

/* From now on syncs do nothing and say that they did: a control, the storage relies on them. */
void disk_ignore_syncs(struct disk *disk, bool is_ignored);

/* The power goes at the nth of these operations from now on (from 1), which is not done; 0: never.
 * From then on everything fails. */
void disk_cut_at(struct disk *disk, unsigned ops, uint64_t nth);
void disk_cut(struct disk *disk);

/* True when the cut is at one of the next `changes` operations. */
bool disk_is_near_cut(const struct disk *disk, uint64_t changes);
bool disk_is_off(const struct disk *disk);

/* What a power cut leaves of what was not settled. */
enum disk_loss {
    DISK_LOSE_ALL,
    DISK_KEEP_ALL,
    DISK_LOSE_SOME, /* each change is kept, lost, or torn at sectors, whatever came after it */
    DISK_LOSE_LAST, /* all up to one that is torn, none after it */
};
void disk_power_on(struct disk *disk, enum disk_loss loss);

/* The process that had it open is gone: its files answer nothing but closing. With `is_cache_lost`
 * files are read from the plate again, where a sync had failed. */
void disk_abandon(struct disk *disk, bool is_cache_lost);

/* The same files as they are seen now, without faults, to be looked at: a copy's power is not cut.
 */
struct disk *disk_copy(const struct disk *disk);

/* Of all names and bytes, as they are seen now. */
uint64_t disk_hash(const struct disk *disk);

#endif
