#ifndef STORAGE_CHECK_H
#define STORAGE_CHECK_H

#include "storage/storage.h"

/* Inside storage/ only: reads every page and index of a file that nobody has open, whatever is in
 * it, without changing it. STORAGE_OK, _NOT_FOUND, _LOCKED (there is a log beside it), _IO,
 * _CORRUPT. */
enum storage_result check_pages(const char *path, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
