#include "tests/storage/faulty_disk.h"

#include <sqlite3.h>
#include <stddef.h>

/* Bytes of the real VFS's file lie directly behind this struct. */
struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real;
};

static struct {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    enum fault fault;
    unsigned syncs;
} disk;

static sqlite3_file *get_real_file(sqlite3_file *file)
{
    return ((struct faulty_file *)file)->real;
}

static int close_file(sqlite3_file *file)
{
    return get_real_file(file)->pMethods->xClose(get_real_file(file));
}

static int read_file(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    return get_real_file(file)->pMethods->xRead(get_real_file(file), bytes, len, at);
}

static int write_file(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    if (disk.fault == FAULT_ROOM) {
        return SQLITE_FULL;
    }
    if (disk.fault == FAULT_WRITE) {
        return SQLITE_IOERR_WRITE;
    }
    return get_real_file(file)->pMethods->xWrite(get_real_file(file), bytes, len, at);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    return get_real_file(file)->pMethods->xTruncate(get_real_file(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
    disk.syncs++;
    if (disk.fault == FAULT_SYNC) {
        return SQLITE_IOERR_FSYNC;
    }
    return get_real_file(file)->pMethods->xSync(get_real_file(file), flags);
}

static int read_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return get_real_file(file)->pMethods->xFileSize(get_real_file(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
    return get_real_file(file)->pMethods->xLock(get_real_file(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return get_real_file(file)->pMethods->xUnlock(get_real_file(file), level);
}

static int check_lock(sqlite3_file *file, int *is_locked)
{
    return get_real_file(file)->pMethods->xCheckReservedLock(get_real_file(file), is_locked);
}

static int control_file(sqlite3_file *file, int op, void *argument)
{
    return get_real_file(file)->pMethods->xFileControl(get_real_file(file), op, argument);
}

static int read_sector_size(sqlite3_file *file)
{
    return get_real_file(file)->pMethods->xSectorSize(get_real_file(file));
}

static int read_device_characteristics(sqlite3_file *file)
{
    return get_real_file(file)->pMethods->xDeviceCharacteristics(get_real_file(file));
}

/* SQLite's interface version 1 has no methods for shared memory. The storage opens its file with
 * exclusive locks, so it needs none. */
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = read_file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = read_sector_size,
    .xDeviceCharacteristics = read_device_characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *out_flags)
{
    struct faulty_file *faulty = (struct faulty_file *)file;

    (void)vfs;
    faulty->real = (sqlite3_file *)&faulty[1];
    const int code = disk.real->xOpen(disk.real, name, faulty->real, flags, out_flags);
    file->pMethods = code == SQLITE_OK ? &methods : NULL;
    return code;
}

void faulty_disk_install(void)
{
    disk.real = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.real;
    disk.vfs.zName = "faulty";
    disk.vfs.szOsFile = (int)sizeof(struct faulty_file) + disk.real->szOsFile;
    disk.vfs.xOpen = open_file;
    (void)sqlite3_vfs_register(&disk.vfs, 1);
}

void faulty_disk_set_fault(enum fault fault)
{
    disk.fault = fault;
}

unsigned faulty_disk_count_syncs(void)
{
    return disk.syncs;
}
