#ifndef DAEMON_CLI_HISTORY_FILE_H
#define DAEMON_CLI_HISTORY_FILE_H

#include "daemon/cli/history_read.h"
#include "daemon/cli/json_diff.h"
#include "daemon/cli/json_stream.h"
#include "daemon/cli/subcommand.h"

/* The histories of a file, one by one, for the subcommands that read such files. */

struct history_file {
    const struct subcommand *self;
    const char *path;
    struct json_stream stream;
    uint64_t count;          /* histories taken so far: the number of the current one, from 1 */
    char why[JSON_DIFF_MAX]; /* of HISTORY_FILE_BAD */
};

enum history_file_result {
    HISTORY_FILE_OK = 0,
    HISTORY_FILE_END,
    HISTORY_FILE_BAD,    /* this one is no history, see `why`; the next may be */
    HISTORY_FILE_FAILED, /* a line on standard error says why nothing more can be read */
};

/* path "-" is standard input. After HISTORY_FILE_FAILED nothing is to be closed. */
enum history_file_result history_file_open(struct history_file *file, const struct subcommand *self,
                                           const char *path) MUST_CHECK;

/* After HISTORY_FILE_OK the record is the caller's to clear. A file without a single history is a
 * failure. */
enum history_file_result history_file_next(struct history_file *file,
                                           struct history_record *record) MUST_CHECK;

/* Passes one object without looking into it: OK, END or FAILED. */
enum history_file_result history_file_skip(struct history_file *file) MUST_CHECK;

void history_file_close(struct history_file *file);

#endif
