#include "tests/faults/disk_state.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* the simulated clock that SQLite reads always shows this time in the year 2006 */
#define VFS_JULIAN_DAY INT64_C(212000000000000)

struct vfs_file {
    sqlite3_file base;
    struct disk *disk;
    int inode;
    unsigned epoch;
    int last_errno;
    bool settles_names;
    bool is_writable;
};

static struct {
    sqlite3_vfs vfs;
    struct disk *disk;
} vfs_installed;

static struct vfs_file *vfs_cast_file(sqlite3_file *file)
{
    return (struct vfs_file *)file;
}

/* Whether the file's process has ended or the disk's power was cut. */
static bool vfs_file_is_dead(const struct vfs_file *file)
{
    return file->epoch != file->disk->epoch || file->disk->is_off;
}

static int vfs_close(sqlite3_file *file)
{
    (void)file;
    return SQLITE_OK;
}

static int vfs_read(sqlite3_file *base, void *bytes, int len, sqlite3_int64 at)
{
    const struct vfs_file *file = vfs_cast_file(base);
    if (vfs_file_is_dead(file)) {
        return SQLITE_IOERR_READ;
    }
    const struct disk_bytes *from = &file->disk->inodes[file->inode].cache;
    const size_t start = (size_t)at < from->len ? (size_t)at : from->len;
    const size_t there = from->len - start < (size_t)len ? from->len - start : (size_t)len;
    if (there > 0) {
        memcpy(bytes, from->at + start, there);
    }
    memset((char *)bytes + there, 0, (size_t)len - there);
    return there == (size_t)len ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

/* Converts an errno value to SQLite's code. As in SQLite's unix files, only a write to a full disk
 * has a code of its own. */
static int vfs_convert_error(struct vfs_file *file, int error, int default_code)
{
    if (error == 0) {
        return SQLITE_OK;
    }
    if (default_code == SQLITE_IOERR_WRITE && error == ENOSPC) {
        file->last_errno = 0;
        return SQLITE_FULL;
    }
    file->last_errno = error;
    return default_code;
}

static int vfs_write(sqlite3_file *base, const void *bytes, int len, sqlite3_int64 at)
{
    struct vfs_file *file = vfs_cast_file(base);
    if (vfs_file_is_dead(file)) {
        return SQLITE_IOERR_WRITE;
    }
    const int reason = file->is_writable
                           ? disk_write(file->disk, file->inode, bytes, (size_t)len, (size_t)at)
                           : EBADF;
    return vfs_convert_error(file, reason, SQLITE_IOERR_WRITE);
}

static int vfs_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    struct vfs_file *file = vfs_cast_file(base);
    if (vfs_file_is_dead(file)) {
        return SQLITE_IOERR_TRUNCATE;
    }
    return vfs_convert_error(file, disk_truncate(file->disk, file->inode, (size_t)size),
                             SQLITE_IOERR_TRUNCATE);
}

static int vfs_sync(sqlite3_file *base, int flags)
{
    struct vfs_file *file = vfs_cast_file(base);
    (void)flags;
    if (vfs_file_is_dead(file)) {
        return SQLITE_IOERR_FSYNC;
    }
    const int reason = disk_sync(file->disk, file->inode, file->settles_names);
    if (reason == 0) {
        file->settles_names = false;
    }
    return vfs_convert_error(file, reason, SQLITE_IOERR_FSYNC);
}

static int vfs_get_file_size(sqlite3_file *base, sqlite3_int64 *size)
{
    const struct vfs_file *file = vfs_cast_file(base);
    *size = (sqlite3_int64)file->disk->inodes[file->inode].cache.len;
    return vfs_file_is_dead(file) ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

static int vfs_lock(sqlite3_file *base, int level)
{
    (void)level;
    return vfs_file_is_dead(vfs_cast_file(base)) ? SQLITE_IOERR_LOCK : SQLITE_OK;
}

static int vfs_unlock(sqlite3_file *base, int level)
{
    (void)base;
    (void)level;
    return SQLITE_OK;
}

static int vfs_check_lock(sqlite3_file *base, int *is_locked)
{
    (void)base;
    *is_locked = 0;
    return SQLITE_OK;
}

static int vfs_file_control(sqlite3_file *base, int op, void *argument)
{
    if (op != SQLITE_FCNTL_LAST_ERRNO) {
        return SQLITE_NOTFOUND;
    }
    *(int *)argument = vfs_cast_file(base)->last_errno;
    return SQLITE_OK;
}

static int vfs_get_sector_size(sqlite3_file *base)
{
    (void)base;
    return 4096;
}

static int vfs_get_device_characteristics(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

/* Version 1 of SQLite's file methods has no shared memory, which the storage does not need. */
static const sqlite3_io_methods vfs_methods = {
    .iVersion = 1,
    .xClose = vfs_close,
    .xRead = vfs_read,
    .xWrite = vfs_write,
    .xTruncate = vfs_truncate,
    .xSync = vfs_sync,
    .xFileSize = vfs_get_file_size,
    .xLock = vfs_lock,
    .xUnlock = vfs_unlock,
    .xCheckReservedLock = vfs_check_lock,
    .xFileControl = vfs_file_control,
    .xSectorSize = vfs_get_sector_size,
    .xDeviceCharacteristics = vfs_get_device_characteristics,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
                    int *out_flags)
{
    struct vfs_file *file = vfs_cast_file(base);
    struct disk *disk = vfs_installed.disk;
    (void)vfs;
    *file = (struct vfs_file){.disk = disk, .epoch = disk->epoch};
    bool is_writable = (flags & SQLITE_OPEN_READWRITE) != 0 && !disk->is_read_only;
    const bool is_made = is_writable && (flags & SQLITE_OPEN_CREATE) != 0;
    if (disk_begin_operation(disk, DISK_OPEN) != 0) {
        return SQLITE_CANTOPEN;
    }
    file->inode = disk_find_inode(disk, name, is_made);
    if (file->inode == DISK_NONE) {
        return SQLITE_CANTOPEN;
    }
    file->is_writable = is_writable;
    file->settles_names =
        is_made &&
        (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    base->pMethods = &vfs_methods;
    if (out_flags != NULL) {
        *out_flags = is_writable ? flags : (flags & ~SQLITE_OPEN_READWRITE) | SQLITE_OPEN_READONLY;
    }
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_names)
{
    (void)vfs;
    struct disk *disk = vfs_installed.disk;
    const int reason = disk_remove(disk, name);
    if (reason != 0) {
        return reason == ENOENT ? SQLITE_IOERR_DELETE_NOENT : SQLITE_IOERR_DELETE;
    }
    for (size_t i = 0; syncs_names != 0 && i < DISK_NAMES; i++) {
        disk->names[i].settled = disk->names[i].cached;
    }
    disk_free_unused_inodes(disk);
    return SQLITE_OK;
}

static int vfs_check_access(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
    (void)vfs;
    (void)flags;
    const int inode = disk_find_inode(vfs_installed.disk, name, false);
    /* An empty file counts as missing, as in SQLite's own unix files. */
    *result = inode != DISK_NONE && vfs_installed.disk->inodes[inode].cache.len > 0;
    return SQLITE_OK;
}

static int vfs_write_full_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    (void)vfs;
    (void)snprintf(out, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static int vfs_fill_random(sqlite3_vfs *vfs, int len, char *out)
{
    (void)vfs;
    for (int i = 0; i < len; i++) {
        out[i] = (char)quick_random_next(&vfs_installed.disk->random);
    }
    return len;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

static int vfs_get_time(sqlite3_vfs *vfs, sqlite3_int64 *time)
{
    (void)vfs;
    *time = VFS_JULIAN_DAY;
    return SQLITE_OK;
}

static int vfs_get_last_error(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    (void)size;
    (void)out;
    return 0;
}

struct disk *disk_vfs_set_disk(struct disk *disk)
{
    struct disk *before = vfs_installed.disk;
    vfs_installed.disk = disk;
    if (vfs_installed.vfs.zName == NULL) {
        vfs_installed.vfs = (sqlite3_vfs){
            .iVersion = 2,
            .szOsFile = (int)sizeof(struct vfs_file),
            .mxPathname = 256,
            .zName = DISK_NAME,
            .xOpen = vfs_open,
            .xDelete = vfs_delete,
            .xAccess = vfs_check_access,
            .xFullPathname = vfs_write_full_path,
            .xRandomness = vfs_fill_random,
            .xSleep = vfs_sleep,
            .xGetLastError = vfs_get_last_error,
            .xCurrentTimeInt64 = vfs_get_time,
        };
        /* This VFS must be SQLite's default, because SQLite takes its random numbers from the
         * default VFS. */
        (void)sqlite3_vfs_register(&vfs_installed.vfs, 1);
    }
    sqlite3_randomness(
        0,
        NULL); /* resets SQLite's random numbers, so that a run depends only on the disk's seed */
    return before;
}
