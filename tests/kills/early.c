#include "storage/storage.h"

/*
 * Makes a faulty house, which tells its players about changes before it commits them, to show that
 * the data check notices lost data. These functions replace storage_commit and storage_close at
 * link time. Only one call in COMMITS_LATE really commits.
 */

#define COMMITS_LATE 50

/* NOLINTBEGIN(readability-identifier-naming): the linker's option --wrap requires these names */

enum storage_result __real_storage_commit(struct storage *storage);
enum storage_result __wrap_storage_commit(struct storage *storage);
void __real_storage_close(struct storage *storage);
void __wrap_storage_close(struct storage *storage);

enum storage_result __wrap_storage_commit(struct storage *storage)
{
    static unsigned calls;
    return ++calls % COMMITS_LATE == 0 ? __real_storage_commit(storage) : STORAGE_OK;
}

/* Commits before closing: even this faulty house loses nothing when it is closed normally. */
void __wrap_storage_close(struct storage *storage)
{
    if (storage != NULL && __real_storage_commit(storage) != STORAGE_OK) {
        return; /* ignores errors, because this faulty house is meant to lose data */
    }
    __real_storage_close(storage);
}

/* NOLINTEND(readability-identifier-naming) */
