#ifndef DAEMON_CLI_JSON_STREAM_H
#define DAEMON_CLI_JSON_STREAM_H

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * JSON objects one after the other in a file of any size: one a line as we write them, or spread
 * over lines as other programs may. Finds where each ends; whether it is JSON is the parser's
 * business.
 */

/* The longest object taken; a history of a thousand moves has about 300 KB. */
#define JSON_STREAM_OBJECT_MAX ((size_t)16 << 20)

enum json_stream_result {
    JSON_STREAM_OK = 0,
    JSON_STREAM_END,       /* no further object */
    JSON_STREAM_NO_OBJECT, /* something else than white space stands before the next '{' */
    JSON_STREAM_CUT,       /* the file ends within the object */
    JSON_STREAM_TOO_LONG,  /* longer than JSON_STREAM_OBJECT_MAX */
    JSON_STREAM_FAILED,    /* reading failed, see errno */
};

struct json_stream {
    int fd;
    bool is_fd_ours;
    bool is_at_end;
    struct bytes held;
    size_t start;  /* in held: the current object's first byte */
    size_t next;   /* in held: behind the current object */
    uint64_t line; /* of the current object's first byte, from 1 */
    uint64_t lines_passed;
};

/* path "-" is standard input. False, with errno, when the file cannot be opened; json_stream_close
 * is needed only after true. */
bool json_stream_open(struct json_stream *stream, const char *path) MUST_CHECK;

/* The next object as *text, *len bytes, borrowed until the next call. Nothing can be read after
 * any other result than JSON_STREAM_OK. */
enum json_stream_result json_stream_next(struct json_stream *stream, const char **text,
                                         size_t *len) MUST_CHECK;

void json_stream_close(struct json_stream *stream);

#endif
