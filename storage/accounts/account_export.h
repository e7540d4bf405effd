#pragma once

#include "storage/storage.h"

/* Reads everything that the house keeps about the owner of an account and may give to them. What
 * would open an account, or tell about somebody else who did not choose to, is left out:
 * tests/storage/accounts/test_account_export.c lists it with the reasons. deploy/OPERATING.md
 * describes the result. */

enum storage_export_kind {
    STORAGE_EXPORT_NULL,
    STORAGE_EXPORT_NUMBER,
    STORAGE_EXPORT_FLAG, /* in `number`: 0 or 1; a column named is_… or has_… */
    STORAGE_EXPORT_REAL,
    STORAGE_EXPORT_TEXT,
    STORAGE_EXPORT_JSON, /* in `text`: a JSON value */
};

struct storage_export_value {
    const char *name; /* the column's name */
    enum storage_export_kind kind;
    int64_t number;
    double real;
    const char *text; /* borrowed for the call */
};

/* Receives an export. Every section is begun, also those without rows. */
struct storage_export_reader {
    void *context;
    void (*section)(void *context, const char *name);
    void (*row)(void *context); /* begins a row of the section */
    void (*value)(void *context, const struct storage_export_value *value);
};

/* The section that has exactly one row, about the account itself. It comes first. */
#define STORAGE_EXPORT_ACCOUNT "account"

/* Exports an account. Some sections are read without an index, so read a copy of an open house. */
enum storage_result storage_account_export(struct storage *storage, int64_t account,
                                           const struct storage_export_reader *reader) MUST_CHECK;
