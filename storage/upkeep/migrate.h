#pragma once

#include "storage/sql/sql.h"

/*
 * Inside storage/ only: changes the schema of the database step by step. The steps are the files
 * migrations/NNN-what.sql in their order; user_version in the file counts the steps that the file
 * has had. A published step never changes.
 */
struct migration {
    const char *name; /* the step's name, such as "001-the-house" */
    const char *text;
};

#define MIGRATE_APPLICATION_ID 0x5472486F /* "TrHo", the application id in the file's header */

/* Returns the migration steps of this program and sets *count to their number. */
const struct migration *migrate_list_steps(size_t *count);

/* Runs the migration steps that the file has not had, each in its own transaction. First makes a
 * backup of a file that is not empty. Call it outside a transaction. Returns STORAGE_NEWER,
 * _FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_run_steps(struct storage *storage, const struct migration *list,
                                      size_t count) MUST_CHECK;
