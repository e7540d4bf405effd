#ifndef STORAGE_COPIES_H
#define STORAGE_COPIES_H

#include "storage/storage.h"

/* Looking through files of data that nobody has open: backups, and the house's own while it is
 * closed. */

/* What is said of a file of data. */
struct storage_summary {
    int64_t accounts; /* people's */
    int64_t games;    /* finished */
    int64_t last_ms;  /* when the last of them was; 0: none */
};

/*
 * Looks through a file that nobody has open, without changing it: that it is ours, of a form this
 * program knows, undamaged (every page and index) and that all references lead somewhere.
 * STORAGE_OK, _NOT_FOUND, _LOCKED (there is a log beside it), _IO, _CORRUPT, _NEWER, _FOREIGN.
 */
enum storage_result storage_check(const char *path, struct storage_summary *summary,
                                  char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens such a file for reading alone, of the present form (else STORAGE_NEWER, or STORAGE_REFUSED
 * for an older one); every write is refused. Closed by storage_close. */
enum storage_result storage_open_copy(const char *path, struct storage **storage,
                                      char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same for a copy of it that may be changed, and is gone once it is closed: a file without a
 * name in the system's place for such, of the present form whatever form the file has. */
enum storage_result storage_open_scratch(const char *path, struct storage **storage,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
