#pragma once

#include "storage/storage.h"

/* Inside storage/ only: reads a database file that nobody has open, without changing it. */

/* Checks every page and index of a file, whatever data it holds. Returns STORAGE_OK, _NOT_FOUND,
 * _LOCKED (a log lies beside the file), _IO, _CORRUPT. */
enum storage_result file_check(const char *path, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens the file for reading. Call file_check_close in any case. After a failure *storage is NULL
 * when memory ran out; otherwise it is not NULL and its `why` holds the reason. */
enum storage_result file_check_open(const char *path, struct storage **storage) MUST_CHECK;

/* Checks every page and index of the open file: STORAGE_OK, _IO, _CORRUPT. */
enum storage_result file_check_pages(struct storage *storage) MUST_CHECK;

/* Closes the file; takes NULL. Returns `result`. If `result` is a failure, copies its reason into
 * `why`. */
enum storage_result file_check_close(struct storage *storage, enum storage_result result,
                                     char why[STORAGE_WHY_SIZE]) MUST_CHECK;
