#pragma once

#include "storage/sql/sql.h"

/*
 * Inside storage/ only: changes the schema of the database step by step. The steps are the files
 * migrations/NNN-what.sql in their order; user_version in the file counts the steps that the file
 * has had. A published step never changes.
 */
struct migration {
    const char *name; /* the step's name, such as "001-house" */
    const char *text;
};

/* The application id in the file's header. Trickhouse 0.2.0 and older versions wrote another one,
 * and numbered the versions of their schema from 1 too. */
#define MIGRATE_APPLICATION_ID 0x54726B48     /* "TrkH" */
#define MIGRATE_OLD_APPLICATION_ID 0x5472486F /* "TrHo" */

/* Returns the migration steps of this program and sets *count to their number. */
const struct migration *migrate_list_steps(size_t *count);

/* Refuses data of Trickhouse 0.2.0 or older, whose schema version is `version`: writes the reason
 * into `why` and returns STORAGE_OLDER. */
enum storage_result migrate_refuse_old_data(int64_t version, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Refuses data whose schema version is above `newest`, in the same way: STORAGE_OK or _NEWER. */
enum storage_result migrate_refuse_newer_data(int64_t version, size_t newest,
                                              char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Runs the migration steps that the file has not had, each in its own transaction. First makes a
 * backup of a file that is not empty. Call it outside a transaction. Returns STORAGE_OLDER, _NEWER,
 * _FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_run_steps(struct storage *storage, const struct migration *list,
                                      size_t count) MUST_CHECK;
