#pragma once

#include "storage/sql/sql.h"

/*
 * Inside storage/ only: the form of the data, step by step. The steps are the files
 * migrations/NNN-what.sql in their order; the file's user_version counts those it has had. A
 * published step never changes.
 */
struct migration {
    const char *name; /* "001-the-house" */
    const char *text;
};

#define MIGRATE_APPLICATION_ID 0x5472486F /* "TrHo", in the file's header */

/* The migration steps of this program, their number in *count. */
const struct migration *migrate_list(size_t *count);

/* Runs the steps that the file has not had, each in its own transaction, after a backup of a file
 * that is not empty. Call it outside a transaction. STORAGE_NEWER, _FOREIGN, and the results of a
 * write; storage->why holds the words. */
enum storage_result migrate_run(struct storage *storage, const struct migration *list,
                                size_t count) MUST_CHECK;
