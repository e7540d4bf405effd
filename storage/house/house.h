#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"

/* Stored answers to requests: a restarted core needs them to answer repeated requests. The caller
 * defines what a row holds (lobby/house/parts.h). */

/* Adds an answer; *number is higher than the number of any other answer. */
enum storage_result storage_answers_add(struct storage *storage, const void *bytes, size_t len,
                                        int64_t *number) MUST_CHECK;

/* Receives the bytes of an answer, borrowed for the call. */
typedef bool storage_answers_row(void *context, const void *bytes, size_t len);

/* Lists all stored answers, oldest first. */
enum storage_result storage_answers_each(struct storage *storage, storage_answers_row *row,
                                         void *context) MUST_CHECK;

/* Single values of the house, stored by name. A name has at most STORAGE_WORD_SIZE - 1 bytes. */

#define STORAGE_META_SIZE 1025

/* Reserves `count` new numbers of the counter `name`: *first, *first + 1, … A new counter starts
 * with 1. After a rollback the same numbers may be given out again. */
enum storage_result storage_counter_reserve(struct storage *storage, const char *name,
                                            int64_t count, int64_t *first) MUST_CHECK;

#define STATEMENT STATEMENT_DECLARED
#include "storage/house/house.def"
