#ifndef TESTS_FAULTS_DISK_STATE_H
#define TESTS_FAULTS_DISK_STATE_H

#include "games/random.h"
#include "tests/faults/disk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What disk.c (the files), disk_power.c (what a cut leaves) and disk_vfs.c (the library's way in)
 * share. */

#define DISK_NAMES 8
#define DISK_INODES 16
#define DISK_SECTOR 512
#define DISK_NONE (-1)

struct disk_bytes {
    uint8_t *at;
    size_t len, cap;
};

/* A change that is not settled: a write, or a truncation when `len` is 0. */
struct disk_change {
    size_t at, len;
    size_t data; /* offset in the inode's `data` */
};

struct disk_inode {
    bool is_used;
    bool is_doubtful;        /* a sync has failed: cache and plate may differ for good */
    struct disk_bytes cache; /* as readers see it */
    struct disk_bytes plate; /* as settled */
    struct disk_bytes data;  /* of the changes */
    struct disk_change *changes;
    size_t change_count, change_cap;
};

struct disk_name {
    char name[64]; /* "": free */
    int cached;    /* an inode, or DISK_NONE */
    int settled;
};

struct disk {
    struct disk_name names[DISK_NAMES];
    struct disk_inode inodes[DISK_INODES];
    struct quick_random random;
    uint64_t counts[5]; /* by bit of enum disk_op */
    struct disk_fault fault;
    unsigned cut_ops;
    uint64_t cut_nth;
    size_t limit;
    unsigned epoch; /* files opened in another one are dead */
    bool has_failed;
    bool is_off;
    bool is_read_only;
    bool ignores_syncs;
};

/* Notes that an operation is asked for. 0, or the reason why it fails. */
int disk_begin(struct disk *disk, enum disk_op op);

/* The inode of a name, or DISK_NONE; with `is_made` one is made. */
int disk_find(struct disk *disk, const char *name, bool is_made);

/* 0 or the reason it failed; what is written before may be less than all. */
int disk_write(struct disk *disk, int inode, const void *bytes, size_t len, size_t at);
int disk_truncate(struct disk *disk, int inode, size_t size);
int disk_sync(struct disk *disk, int inode, bool with_names);
int disk_remove(struct disk *disk, const char *name);

/* Done to a file's bytes; `bytes` NULL: random ones. */
void disk_bytes_write(struct disk_bytes *to, const uint8_t *bytes, size_t len, size_t at);
void disk_bytes_resize(struct disk_bytes *to, size_t size);
void disk_bytes_copy(struct disk_bytes *to, const struct disk_bytes *from);

/* Does changes to the plate, as `loss` lets them, and forgets them. */
void disk_settle(struct disk *disk, struct disk_inode *inode, enum disk_loss loss);

/* Releases inodes that no name leads to. */
void disk_sweep(struct disk *disk);

/* Puts the disk under the database library, once, and names the one files are opened on. */
struct disk *disk_vfs_use(struct disk *disk);

#endif
