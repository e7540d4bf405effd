#pragma once

#include "storage/storage.h"

/*
 * Deletes what people said and where they came from once it is old. A run goes through everything
 * in small steps, so that each commit stays short. Stopping a run is harmless: the next run begins
 * again and finds what is left.
 *
 * These stay, however old they are: lines that are evidence of an open report, or of a report that
 * was closed less than the age of chat lines ago; sanctions in force and open reports; the audit
 * log, in which addresses and keys can be sealed (storage/mod/audit.h).
 */

/* What is deleted by its age. */
enum storage_retention_kind {
    STORAGE_RETENTION_CHAT = 0, /* lines said in the lobby, in channels and at tables */
    STORAGE_RETENTION_MESSAGES, /* direct messages, whether they were read or not */
    /* addresses of sign-ins, of sanctions that have ended, and of guests whom staff wrote about */
    STORAGE_RETENTION_ADDRESSES,
    /* closed reports and appeals, sanctions that have ended, notes of staff */
    STORAGE_RETENTION_CASES,
    STORAGE_RETENTION_KINDS,
};

/* A run. The caller zeroes it and sets before_ms before the first step. */
struct storage_retention_run {
    int64_t before_ms[STORAGE_RETENTION_KINDS]; /* delete what is older, in Unix ms; 0: nothing */
    int64_t deleted[STORAGE_RETENTION_KINDS];   /* rows deleted, or emptied, so far */
    size_t step;                                /* the step to continue with */
    int64_t seen_ms, seen_number;               /* age and number of the last line looked at */
};

/* Continues the run: looks at up to `max_rows` (1 or more) old rows and deletes those that need not
 * stay. Sets *is_done to whether the run is finished. */
enum storage_result storage_retention_continue(struct storage *storage,
                                               struct storage_retention_run *run, size_t max_rows,
                                               bool *is_done) MUST_CHECK;
