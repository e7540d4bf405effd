#pragma once

#include "games/card.h"
#include "tests/faults/disk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The internals of the simulated disk, shared by disk.c (the files), disk_power.c (the effects of a
 * power cut) and disk_vfs.c (the interface to SQLite). */

#define DISK_NAMES 8
#define DISK_INODES 16
#define DISK_SECTOR 512
#define DISK_NONE (-1)

struct disk_bytes {
    uint8_t *at;
    size_t len, cap;
};

/* A change that is not durable: a write, or a truncation when `len` is 0. */
struct disk_change {
    size_t at, len;
    size_t data; /* offset of the bytes in the inode's `data` */
};

struct disk_inode {
    bool is_used;
    bool is_doubtful;        /* a sync has failed, so the cache and the disk may differ */
    struct disk_bytes cache; /* the bytes as readers see them */
    struct disk_bytes plate; /* the bytes that survive a power cut */
    struct disk_bytes data;  /* the bytes of the changes that are not durable */
    struct disk_change *changes;
    size_t change_count, change_cap;
};

struct disk_name {
    char name[64]; /* "": this entry is free */
    int cached;    /* the index of an inode, or DISK_NONE */
    int settled;
};

struct disk {
    struct disk_name names[DISK_NAMES];
    struct disk_inode inodes[DISK_INODES];
    struct quick_random random;
    struct disk_fault fault;
    unsigned cut_ops;
    uint64_t cut_nth;
    size_t limit;
    unsigned epoch; /* the number of the process that uses the disk; files opened by an earlier
                       process can only be closed */
    bool has_failed;
    bool is_off;
    bool is_read_only;
    bool ignores_syncs;
};

/* Begins a requested operation. Returns 0, or the error with which the operation fails. */
int disk_begin_operation(struct disk *disk, enum disk_op op);

/* Finds the inode of a name; DISK_NONE when there is none. With `creates_missing`, creates a
 * missing file. */
int disk_find_inode(struct disk *disk, const char *name, bool creates_missing);

/* These functions return 0 or an error. A write that fails may have written some of its bytes. */
int disk_write(struct disk *disk, int inode_number, const void *bytes, size_t len, size_t offset);
int disk_truncate(struct disk *disk, int inode_number, size_t size);
int disk_sync(struct disk *disk, int inode_number, bool syncs_names);
int disk_remove(struct disk *disk, const char *name);

/* Change a file's bytes. When `bytes` is NULL, random bytes are written. */
void disk_bytes_write(struct disk_bytes *to, const uint8_t *bytes, size_t len, size_t at);
void disk_bytes_resize(struct disk_bytes *to, size_t size);
void disk_bytes_copy(struct disk_bytes *to, const struct disk_bytes *from);

/* Applies the inode's changes to its durable bytes, as far as `loss` allows. Then forgets the
 * changes. */
void disk_apply_changes(struct disk *disk, struct disk_inode *inode, enum disk_loss loss);

/* Frees inodes that no name points to. */
void disk_free_unused_inodes(struct disk *disk);

/* Makes SQLite open files on this disk from now on. The first call registers the simulated disk
 * with SQLite. Returns the disk used before. */
struct disk *disk_vfs_set_disk(struct disk *disk);
