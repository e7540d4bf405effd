#include "tests/faults/disk_state.h"

#include <string.h>

static bool disk_toss_coin(struct disk *disk)
{
    return quick_random_draw_below(&disk->random, 2) == 0;
}

/* Tears a write sector by sector: a sector has the new bytes, the old bytes or noise. A sector that
 * was written only in part keeps the rest of its bytes, as every disk since the eighties promises
 * (SQLite's "powersafe overwrite"). */
static void disk_tear_write(struct disk *disk, struct disk_inode *inode,
                            const struct disk_change *change)
{
    const uint8_t *bytes = inode->data.at + change->data;
    size_t done = 0;
    while (done < change->len) {
        const size_t at = change->at + done;
        size_t len = DISK_SECTOR - at % DISK_SECTOR;
        len = len < change->len - done ? len : change->len - done;
        uint8_t noise[DISK_SECTOR];
        const uint32_t fate = quick_random_draw_below(&disk->random, 8);
        if (fate == 0) {
            for (size_t i = 0; i < len; i++) {
                noise[i] = (uint8_t)quick_random_next(&disk->random);
            }
            disk_bytes_write(&inode->plate, noise, len, at);
        } else if (fate < 5) {
            disk_bytes_write(&inode->plate, bytes + done, len, at);
        }
        done += len;
    }
}

static void disk_apply_change(struct disk_inode *inode, const struct disk_change *change)
{
    if (change->len == 0) {
        disk_bytes_resize(&inode->plate, change->at);
    } else {
        disk_bytes_write(&inode->plate, inode->data.at + change->data, change->len, change->at);
    }
}

static void disk_apply_change_at_random(struct disk *disk, struct disk_inode *inode,
                                        const struct disk_change *change)
{
    switch (quick_random_draw_below(&disk->random, 3)) {
    case 0:
        break;
    case 1:
        disk_apply_change(inode, change);
        break;
    default:
        if (change->len > 0) {
            disk_tear_write(disk, inode, change);
        }
    }
}

void disk_apply_changes(struct disk *disk, struct disk_inode *inode, enum disk_loss loss)
{
    const size_t count = inode->change_count;
    const size_t last = loss == DISK_LOSE_LAST
                            ? quick_random_draw_below(&disk->random, (uint32_t)count + 1)
                            : count;
    for (size_t i = 0; i < last && loss != DISK_LOSE_ALL; i++) {
        if (loss == DISK_LOSE_SOME) {
            disk_apply_change_at_random(disk, inode, &inode->changes[i]);
        } else {
            disk_apply_change(inode, &inode->changes[i]);
        }
    }
    if (last < count && inode->changes[last].len > 0) {
        disk_tear_write(disk, inode, &inode->changes[last]);
    }
    inode->change_count = 0;
    inode->data.len = 0;
}

/* Chooses whether a file name, whose change is not durable, refers to its old file or its new file
 * after a power cut. */
static void disk_choose_old_or_new_file(struct disk *disk, struct disk_name *name,
                                        enum disk_loss loss)
{
    if (loss == DISK_LOSE_ALL || (loss != DISK_KEEP_ALL && disk_toss_coin(disk))) {
        name->cached = name->settled;
    }
    name->settled = name->cached;
}

void disk_power_on(struct disk *disk, enum disk_loss loss)
{
    for (size_t i = 0; i < DISK_NAMES; i++) {
        if (disk->names[i].name[0] != '\0') {
            disk_choose_old_or_new_file(disk, &disk->names[i], loss);
        }
    }
    for (size_t i = 0; i < DISK_INODES; i++) {
        struct disk_inode *inode = &disk->inodes[i];
        disk_apply_changes(disk, inode, loss);
        disk_bytes_copy(&inode->cache, &inode->plate);
        inode->is_doubtful = false;
    }
    disk_free_unused_inodes(disk);
    disk->is_off = false;
    disk->cut_nth = 0;
}

void disk_end_process(struct disk *disk, bool is_cache_lost)
{
    disk->epoch++;
    disk->is_off = false;
    disk->cut_nth = 0;
    for (size_t i = 0; is_cache_lost && i < DISK_INODES; i++) {
        struct disk_inode *inode = &disk->inodes[i];
        if (inode->is_doubtful) {
            /* Data written since the failed sync are still in the cache, not yet on the disk. */
            disk_bytes_copy(&inode->cache, &inode->plate);
            for (size_t k = 0; k < inode->change_count; k++) {
                const struct disk_change *change = &inode->changes[k];
                if (change->len == 0) {
                    disk_bytes_resize(&inode->cache, change->at);
                } else {
                    disk_bytes_write(&inode->cache, inode->data.at + change->data, change->len,
                                     change->at);
                }
            }
            inode->is_doubtful = false;
        }
    }
}
