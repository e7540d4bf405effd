#pragma once

#include "daemon/cli/history_read.h"
#include "daemon/cli/json_diff.h"
#include "daemon/cli/json_stream.h"
#include "daemon/cli/subcommand.h"

/* Reads a file that contains game histories, one history at a time. */

struct history_file {
    const struct subcommand *self;
    const char *path;
    struct json_stream stream;
    uint64_t count;          /* number of the current history, from 1 */
    char why[JSON_DIFF_MAX]; /* why the history read last is invalid (HISTORY_FILE_BAD) */
};

enum history_file_result {
    HISTORY_FILE_OK = 0,
    HISTORY_FILE_END,
    HISTORY_FILE_BAD, /* this history is invalid, and `why` says how; the next history may be valid
                       */
    HISTORY_FILE_FAILED, /* the file cannot be read any further; a line on standard error says why
                          */
};

/* Opens the file; the path "-" means standard input. After HISTORY_FILE_FAILED there is nothing to
 * close. */
enum history_file_result history_file_open(struct history_file *file, const struct subcommand *self,
                                           const char *path) MUST_CHECK;

/* Reads the next history. After HISTORY_FILE_OK the caller clears the record. A file that contains
 * no history is a failure. */
enum history_file_result history_file_read_next(struct history_file *file,
                                                struct history_record *record) MUST_CHECK;

/* Skips one history without parsing it. Returns HISTORY_FILE_OK, _END or _FAILED. */
enum history_file_result history_file_skip_next(struct history_file *file) MUST_CHECK;

void history_file_close(struct history_file *file);
