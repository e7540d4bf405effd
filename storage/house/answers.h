#pragma once

#include "storage/storage.h"

/* Stored answers to requests: a restarted core needs them to answer repeated requests. The caller
 * defines what a row holds (lobby/house/stored_answers.h). */

/* Adds an answer; *number is higher than the number of any other answer. */
enum storage_result storage_answers_add(struct storage *storage, const void *bytes, size_t len,
                                        int64_t *number) MUST_CHECK;

/* Receives the bytes of an answer, borrowed for the call. */
typedef bool storage_answers_row(void *context, const void *bytes, size_t len);

/* Lists all stored answers, oldest first. */
enum storage_result storage_answers_each(struct storage *storage, storage_answers_row *row,
                                         void *context) MUST_CHECK;

/* Deletes the answers whose number is below `before_number`. */
enum storage_result storage_answers_delete(struct storage *storage,
                                           int64_t before_number) MUST_CHECK;
