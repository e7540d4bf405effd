#pragma once

/* A VFS for SQLite that reports errors on demand. All databases that the process opens use it. */
enum fault {
    FAULT_NONE = 0,
    FAULT_SYNC,  /* fsync reports an error */
    FAULT_WRITE, /* writes report an error */
    FAULT_ROOM,  /* writes report a full disk */
};

/* Call once, before the first database is opened. */
void faulty_disk_install(void);

void faulty_disk_set_fault(enum fault fault);

/* Returns the number of calls of fsync since the process started. */
unsigned faulty_disk_count_syncs(void);
