#ifndef STORAGE_ACCOUNTS_FORMER_NAMES_H
#define STORAGE_ACCOUNTS_FORMER_NAMES_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* What accounts were called before. */

#define STORAGE_FORMER_NAME_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), skeleton)                                                        \
    NEXT(NUMBER, until_ms) /* the account had it until then */

struct storage_former_name {
    STORAGE_MEMBERS(STORAGE_FORMER_NAME_COLUMNS)
};

/* Adds it; an account that had the name twice has it once, with the newer time. */
enum storage_result storage_former_name_add(struct storage *storage,
                                            const struct storage_former_name *name) MUST_CHECK;

/* Whether an account other than this one (0: any) was called so, or something that looks like it,
 * at some time since `since_ms`. */
enum storage_result storage_former_name_is_like(struct storage *storage, const char *skeleton,
                                                int64_t account, int64_t since_ms,
                                                bool *is_there) MUST_CHECK;

/* The account that was called so last; STORAGE_NOT_FOUND: none was. */
enum storage_result storage_former_name_find(struct storage *storage, const char *name,
                                             struct storage_former_name *found) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_former_name_row(void *context, const struct storage_former_name *name);

/* All of an account, newest first. */
enum storage_result storage_former_names_of(struct storage *storage, int64_t account,
                                            storage_former_name_row *row, void *context) MUST_CHECK;

#endif
