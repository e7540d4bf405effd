#include "storage/storage.h"

/*
 * The control: linked around storage_commit, it makes a house that tells its players what it has
 * only meant to commit. Everything is written at the next commit but a few.
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

/* Closing in good order loses nothing even here. */
void __wrap_storage_close(struct storage *storage)
{
    if (storage != NULL && __real_storage_commit(storage) != STORAGE_OK) {
        return; /* what is lost is what the control is for */
    }
    __real_storage_close(storage);
}

/* NOLINTEND(readability-identifier-naming) */
