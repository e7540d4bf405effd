#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Former names of accounts. */

#define STORAGE_FORMER_NAME_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), skeleton)                                                        \
    NEXT(NUMBER, until_ms) /* when the account lost the name */

struct storage_former_name {
    STORAGE_MEMBERS(STORAGE_FORMER_NAME_COLUMNS)
};

/* Adds a former name. If the account had the same former name already, only the newer time is
 * kept. */
enum storage_result storage_former_name_add(struct storage *storage,
                                            const struct storage_former_name *name) MUST_CHECK;

/* Sets *is_taken to whether an account other than `except_account` (0: any account) had this name,
 * or a confusable one, at some time since `since_ms`. */
enum storage_result storage_former_name_is_taken(struct storage *storage,
                                                 const char *name_write_skeleton,
                                                 int64_t except_account, int64_t since_ms,
                                                 bool *is_taken) MUST_CHECK;

/* Finds the account that had the name most recently; STORAGE_NOT_FOUND when no account had it. */
enum storage_result storage_former_name_find(struct storage *storage, const char *name,
                                             struct storage_former_name *found) MUST_CHECK;

typedef bool storage_former_name_row(void *context, const struct storage_former_name *name);

/* Lists the former names of an account, newest first. */
enum storage_result storage_former_names_each(struct storage *storage, int64_t account,
                                              storage_former_name_row *row,
                                              void *context) MUST_CHECK;
