#ifndef STORAGE_UPKEEP_MIGRATE_H
#define STORAGE_UPKEEP_MIGRATE_H

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

#define MIGRATE_APPLICATION_ID 0x5472486F /* "TrHo", in the file's head */

/* The steps of this program, *count of them. */
const struct migration *migrate_list(size_t *count);

/* Runs the steps the file has not had, each in a transaction of its own, with a backup first when
 * there is anything in it. Outside a transaction. STORAGE_NEWER, _FOREIGN, and what a write can
 * be; the words are in storage->why. */
enum storage_result migrate_run(struct storage *storage, const struct migration *list,
                                size_t count) MUST_CHECK;

#endif
