#pragma once

#include "storage/storage.h"

/* Single values of the house, stored by name. A name has at most STORAGE_WORD_SIZE - 1 bytes. */

#define STORAGE_META_SIZE 1025

/* Reads a value; STORAGE_NOT_FOUND when the value was never set. */
enum storage_result storage_meta_get(struct storage *storage, const char *name,
                                     char value[STORAGE_META_SIZE]) MUST_CHECK;
enum storage_result storage_meta_set(struct storage *storage, const char *name,
                                     const char *value) MUST_CHECK;

/* Reserves `count` new numbers of the counter `name`: *first, *first + 1, … A new counter starts
 * with 1. After a rollback the same numbers may be given out again. */
enum storage_result storage_counter_reserve(struct storage *storage, const char *name,
                                            int64_t count, int64_t *first) MUST_CHECK;

/* Reads the next number that storage_counter_reserve would reserve, and reserves nothing. */
enum storage_result storage_counter_read(struct storage *storage, const char *name,
                                         int64_t *next) MUST_CHECK;

/* Raises the counter's next number to at least `least_next`, for numbers that were given out
 * elsewhere. */
enum storage_result storage_counter_raise(struct storage *storage, const char *name,
                                          int64_t least_next) MUST_CHECK;
