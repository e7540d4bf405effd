#include "tests/storage/faulty_disk.h"

#include <sqlite3.h>
#include <stddef.h>

/* The memory behind this struct holds the file of the real VFS. */
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

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct faulty_file *)file)->real;
}

static int close_file(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int read_file(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    return real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int write_file(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    if (disk.fault == FAULT_ROOM) {
        return SQLITE_FULL;
    }
    if (disk.fault == FAULT_WRITE) {
        return SQLITE_IOERR_WRITE;
    }
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, len, at);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
    disk.syncs++;
    if (disk.fault == FAULT_SYNC) {
        return SQLITE_IOERR_FSYNC;
    }
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *is_locked)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is_locked);
}

static int control_file(sqlite3_file *file, int op, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, argument);
}

static int sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

/* Version 1 has no shared memory: storage works on it, so it needs none. */
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
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

void faulty_disk_set(enum fault fault)
{
    disk.fault = fault;
}

unsigned faulty_disk_syncs(void)
{
    return disk.syncs;
}
