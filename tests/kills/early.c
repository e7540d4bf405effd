#include "storage/storage.h"

/*
 * The control: a house that tells its players about changes before they are committed. It replaces
 * storage_commit at link time; only one call in COMMITS_LATE really commits.
 */

#define COMMITS_LATE 50

/* NOLINTBEGIN(readability-identifier-naming): the linker's names (--wrap) */

enum storage_result __real_storage_commit(struct storage *storage);
enum storage_result __wrap_storage_commit(struct storage *storage);
void __real_storage_close(struct storage *storage);
void __wrap_storage_close(struct storage *storage);

enum storage_result __wrap_storage_commit(struct storage *storage)
{
    static unsigned calls;
    return ++calls % COMMITS_LATE == 0 ? __real_storage_commit(storage) : STORAGE_OK;
}

/* Commits before closing, because a house that closes in good order loses nothing, even here. */
void __wrap_storage_close(struct storage *storage)
{
    if (storage != NULL && __real_storage_commit(storage) != STORAGE_OK) {
        return; /* errors are ignored, because this control exists to lose data */
    }
    __real_storage_close(storage);
}

/* NOLINTEND(readability-identifier-naming) */
