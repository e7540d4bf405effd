#ifndef STORAGE_HOUSE_META_H
#define STORAGE_HOUSE_META_H

#include "storage/storage.h"

/* Single values of the house, by name; a name has at most STORAGE_WORD_SIZE - 1 bytes. */

#define STORAGE_META_SIZE 1025

/* STORAGE_NOT_FOUND when it was never set. */
enum storage_result storage_meta_get(struct storage *storage, const char *name,
                                     char value[STORAGE_META_SIZE]) MUST_CHECK;
enum storage_result storage_meta_set(struct storage *storage, const char *name,
                                     const char *value) MUST_CHECK;

/* Takes `count` numbers that were never taken before under this name: *first, *first + 1, …; the
 * first ever is 1. Numbers of a transaction that is undone may come again. */
enum storage_result storage_counter_take(struct storage *storage, const char *name, int64_t count,
                                         int64_t *first) MUST_CHECK;

/* The number that would be taken next. */
enum storage_result storage_counter_read(struct storage *storage, const char *name,
                                         int64_t *next) MUST_CHECK;

/* Makes the next number at least `least` (numbers given out elsewhere). */
enum storage_result storage_counter_raise(struct storage *storage, const char *name,
                                          int64_t least) MUST_CHECK;

#endif
