#include "tests/faults/disk.h"

#include "tests/faults/disk_state.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISK_GROWTH 65536

static void *disk_reallocate(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void disk_bytes_reserve(struct disk_bytes *to, size_t size)
{
    if (size > to->cap) {
        to->cap = size + DISK_GROWTH;
        to->at = disk_reallocate(to->at, to->cap);
    }
}

void disk_bytes_resize(struct disk_bytes *to, size_t size)
{
    disk_bytes_reserve(to, size);
    if (size > to->len) {
        memset(to->at + to->len, 0, size - to->len);
    }
    to->len = size;
}

void disk_bytes_write(struct disk_bytes *to, const uint8_t *bytes, size_t len, size_t at)
{
    if (at + len > to->len) {
        disk_bytes_resize(to, at + len);
    }
    memcpy(to->at + at, bytes, len);
}

void disk_bytes_copy(struct disk_bytes *to, const struct disk_bytes *from)
{
    disk_bytes_reserve(to, from->len);
    to->len = from->len;
    if (from->len > 0) {
        memcpy(to->at, from->at, from->len);
    }
}

static void disk_bytes_clear(struct disk_bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct disk_bytes){0};
}

struct disk *disk_new(uint64_t seed)
{
    struct disk *disk = disk_reallocate(NULL, sizeof(*disk));
    *disk = (struct disk){.limit = SIZE_MAX};
    for (size_t i = 0; i < DISK_NAMES; i++) {
        disk->names[i].cached = disk->names[i].settled = DISK_NONE;
    }
    quick_random_init(&disk->random, seed);
    (void)disk_vfs_set_disk(disk);
    return disk;
}

static void disk_inode_clear(struct disk_inode *inode)
{
    disk_bytes_clear(&inode->cache);
    disk_bytes_clear(&inode->plate);
    disk_bytes_clear(&inode->data);
    free(inode->changes);
    *inode = (struct disk_inode){0};
}

void disk_free(struct disk *disk)
{
    for (size_t i = 0; disk != NULL && i < DISK_INODES; i++) {
        disk_inode_clear(&disk->inodes[i]);
    }
    free(disk);
}

struct disk *disk_use_for_new_files(struct disk *disk)
{
    return disk_vfs_set_disk(disk);
}

void disk_set_fault(struct disk *disk, struct disk_fault fault)
{
    disk->fault = fault;
}

bool disk_has_failed(const struct disk *disk)
{
    return disk->has_failed;
}

void disk_set_size_limit(struct disk *disk, size_t max_bytes)
{
    disk->limit = max_bytes;
}

size_t disk_size(const struct disk *disk)
{
    size_t size = 0;
    for (size_t i = 0; i < DISK_INODES; i++) {
        size += disk->inodes[i].cache.len;
    }
    return size;
}

void disk_set_read_only(struct disk *disk, bool is_read_only)
{
    disk->is_read_only = is_read_only;
}

void disk_ignore_syncs(struct disk *disk, bool is_ignored)
{
    disk->ignores_syncs = is_ignored;
}

void disk_cut_power_at_operation(struct disk *disk, unsigned operation_kinds, uint64_t nth)
{
    disk->cut_ops = operation_kinds;
    disk->cut_nth = nth;
}

void disk_cut_power(struct disk *disk)
{
    disk->is_off = true;
    disk->epoch++;
}

bool disk_is_near_power_cut(const struct disk *disk, uint64_t operation_count)
{
    return disk->cut_nth > 0 && disk->cut_nth <= operation_count;
}

bool disk_is_powered_off(const struct disk *disk)
{
    return disk->is_off;
}

static bool disk_is_power_cut_due(struct disk *disk, enum disk_op op)
{
    return disk->cut_nth > 0 && (disk->cut_ops & (unsigned)op) != 0 && --disk->cut_nth == 0;
}

static int disk_find_due_fault(struct disk *disk, enum disk_op op)
{
    struct disk_fault *fault = &disk->fault;
    if ((fault->ops & (unsigned)op) == 0 || fault->times == 0 ||
        (fault->nth > 0 && --fault->nth > 0)) {
        return 0;
    }
    fault->times--;
    disk->has_failed = true;
    return fault->reason;
}

int disk_begin_operation(struct disk *disk, enum disk_op op)
{
    if (disk_is_power_cut_due(disk, op)) {
        disk_cut_power(disk);
    }
    if (disk->is_off) {
        return EIO;
    }
    const int reason = disk_find_due_fault(disk, op);
    return reason == 0 && disk->is_read_only && op != DISK_OPEN ? EROFS : reason;
}

static int disk_add_inode(struct disk *disk)
{
    int free_one = 0;
    while (disk->inodes[free_one].is_used) {
        free_one++;
        assert(free_one < DISK_INODES); /* the storage uses two files, the data and the log */
    }
    disk->inodes[free_one].is_used = true;
    return free_one;
}

int disk_find_inode(struct disk *disk, const char *name, bool creates_missing)
{
    struct disk_name *free_one = NULL;
    for (size_t i = 0; i < DISK_NAMES; i++) {
        struct disk_name *entry = &disk->names[i];
        if (strcmp(entry->name, name) == 0) {
            if (entry->cached == DISK_NONE && creates_missing) {
                entry->cached = disk_add_inode(disk);
            }
            return entry->cached;
        }
        if (entry->name[0] == '\0' && free_one == NULL) {
            free_one = entry;
        }
    }
    if (!creates_missing) {
        return DISK_NONE;
    }
    assert(free_one != NULL && strlen(name) < sizeof(free_one->name));
    (void)snprintf(free_one->name, sizeof(free_one->name), "%s", name);
    free_one->cached = disk_add_inode(disk);
    return free_one->cached;
}

static void disk_record_change(struct disk_inode *inode, struct disk_change change)
{
    if (inode->change_count == inode->change_cap) {
        inode->change_cap = 2 * inode->change_cap + 16;
        inode->changes =
            disk_reallocate(inode->changes, inode->change_cap * sizeof(*inode->changes));
    }
    inode->changes[inode->change_count++] = change;
}

static void disk_inode_write(struct disk_inode *inode, const uint8_t *bytes, size_t len, size_t at)
{
    if (len == 0) {
        return;
    }
    disk_record_change(inode, (struct disk_change){at, len, inode->data.len});
    disk_bytes_write(&inode->data, bytes, len, inode->data.len);
    disk_bytes_write(&inode->cache, bytes, len, at);
}

int disk_write(struct disk *disk, int inode_number, const void *bytes, size_t len, size_t offset)
{
    struct disk_inode *inode = &disk->inodes[inode_number];
    int reason = disk_begin_operation(disk, DISK_WRITE);
    if (reason != 0) {
        if (disk->fault.is_short && !disk->is_off) {
            disk_inode_write(inode, bytes, len / 2, offset);
        }
        return reason;
    }
    const size_t others = disk_size(disk) - inode->cache.len;
    const size_t room = disk->limit > others ? disk->limit - others : 0;
    if (offset + len > inode->cache.len && offset + len > room) {
        disk_inode_write(inode, bytes, room > offset ? room - offset : 0, offset);
        disk->has_failed = true;
        return ENOSPC;
    }
    disk_inode_write(inode, bytes, len, offset);
    return 0;
}

int disk_truncate(struct disk *disk, int inode_number, size_t size)
{
    struct disk_inode *inode = &disk->inodes[inode_number];
    const int reason = disk_begin_operation(disk, DISK_TRUNCATE);
    if (reason == 0) {
        disk_record_change(inode, (struct disk_change){size, 0, 0});
        disk_bytes_resize(&inode->cache, size);
    }
    return reason;
}

int disk_sync(struct disk *disk, int inode_number, bool syncs_names)
{
    struct disk_inode *inode = &disk->inodes[inode_number];
    const int reason = disk_begin_operation(disk, DISK_SYNC);
    if (disk->is_off || disk->ignores_syncs) {
        return reason;
    }
    if (reason != 0) {
        disk_apply_changes(disk, inode, DISK_LOSE_SOME);
        inode->is_doubtful = true;
        return reason;
    }
    disk_apply_changes(disk, inode, DISK_KEEP_ALL);
    for (size_t i = 0; syncs_names && i < DISK_NAMES; i++) {
        disk->names[i].settled = disk->names[i].cached;
    }
    disk_free_unused_inodes(disk);
    return 0;
}

int disk_remove(struct disk *disk, const char *name)
{
    const int reason = disk_begin_operation(disk, DISK_REMOVE);
    for (size_t i = 0; reason == 0 && i < DISK_NAMES; i++) {
        if (strcmp(disk->names[i].name, name) == 0 && disk->names[i].cached != DISK_NONE) {
            disk->names[i].cached = DISK_NONE;
            disk_free_unused_inodes(disk);
            return 0;
        }
    }
    return reason == 0 ? ENOENT : reason;
}

void disk_free_unused_inodes(struct disk *disk)
{
    bool is_named[DISK_INODES] = {false};
    for (size_t i = 0; i < DISK_NAMES; i++) {
        struct disk_name *name = &disk->names[i];
        if (name->cached == DISK_NONE && name->settled == DISK_NONE) {
            name->name[0] = '\0';
        }
        if (name->cached != DISK_NONE) {
            is_named[name->cached] = true;
        }
        if (name->settled != DISK_NONE) {
            is_named[name->settled] = true;
        }
    }
    for (size_t i = 0; i < DISK_INODES; i++) {
        if (disk->inodes[i].is_used && !is_named[i]) {
            disk_inode_clear(&disk->inodes[i]);
        }
    }
}

struct disk *disk_copy(const struct disk *disk)
{
    struct disk *copy = disk_reallocate(NULL, sizeof(*copy));
    *copy = (struct disk){.limit = SIZE_MAX, .random = disk->random};
    for (size_t i = 0; i < DISK_NAMES; i++) {
        copy->names[i] = disk->names[i];
        copy->names[i].settled = copy->names[i].cached;
    }
    for (size_t i = 0; i < DISK_INODES; i++) {
        copy->inodes[i].is_used = disk->inodes[i].is_used;
        disk_bytes_copy(&copy->inodes[i].cache, &disk->inodes[i].cache);
    }
    disk_free_unused_inodes(copy);
    return copy;
}

uint64_t disk_hash(const struct disk *disk)
{
    uint8_t digest[crypto_generichash_BYTES_MIN];
    crypto_generichash_state state;
    uint64_t hash = 0;
    (void)crypto_generichash_init(&state, NULL, 0, sizeof(digest));
    for (size_t i = 0; i < DISK_NAMES; i++) {
        if (disk->names[i].cached != DISK_NONE) {
            const struct disk_bytes *bytes = &disk->inodes[disk->names[i].cached].cache;
            (void)crypto_generichash_update(&state, (const uint8_t *)disk->names[i].name,
                                            sizeof(disk->names[i].name));
            (void)crypto_generichash_update(&state, bytes->at, bytes->len);
        }
    }
    (void)crypto_generichash_final(&state, digest, sizeof(digest));
    memcpy(&hash, digest, sizeof(hash));
    return hash;
}
