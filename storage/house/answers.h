#pragma once

#include "storage/storage.h"

/* Answers to requests: a restarted core answers a repeated request from them. The writer defines
 * what a row holds (lobby/house/stored_answers.h). */

/* Adds the newest row; *number is higher than that of any other row. */
enum storage_result storage_answers_add(struct storage *storage, const void *sealed, size_t len,
                                        int64_t *number) MUST_CHECK;

/* `sealed` is borrowed for the call. */
typedef bool storage_answers_row(void *context, const void *sealed, size_t len);

/* All of them, oldest first. */
enum storage_result storage_answers_each(struct storage *storage, storage_answers_row *row,
                                         void *context) MUST_CHECK;

/* Drops the rows older than this one. */
enum storage_result storage_answers_delete(struct storage *storage, int64_t before) MUST_CHECK;
