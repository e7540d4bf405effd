#ifndef TESTS_STORAGE_FAULTY_DISK_H
#define TESTS_STORAGE_FAULTY_DISK_H

/* A disk that fails on demand, put under the database library for the whole process. */
enum fault {
    FAULT_NONE = 0,
    FAULT_SYNC,  /* fsync reports an error */
    FAULT_WRITE, /* writes report an error */
    FAULT_ROOM,  /* writes find no room */
};

/* Once, before the first database is opened. */
void faulty_disk_install(void);

void faulty_disk_set(enum fault fault);

/* How often data was asked to be made durable so far. */
unsigned faulty_disk_syncs(void);

#endif
