#pragma once

#include "daemon/base/bytes.h"

#include <stdint.h>

/*
 * Splits a file of any size into JSON objects. Each object may be one line, as we write it, or
 * several lines, as other programs write it. These functions only find the end of each object; the
 * parser then checks whether the object is valid.
 */

/* Size limit of an object; a history of a thousand moves has about 300 KB. */
#define JSON_STREAM_OBJECT_MAX ((size_t)16 << 20)

enum json_stream_result {
    JSON_STREAM_OK = 0,
    JSON_STREAM_END,       /* there are no more objects */
    JSON_STREAM_NO_OBJECT, /* text other than white space before the next '{' */
    JSON_STREAM_CUT,       /* the file ends before the object does */
    JSON_STREAM_TOO_LONG,  /* the object is larger than JSON_STREAM_OBJECT_MAX */
    JSON_STREAM_FAILED,    /* reading failed: see errno */
};

struct json_stream {
    int fd;
    bool is_fd_ours;
    bool is_at_end;
    struct bytes held;
    size_t start;  /* index in `held` of the current object's first byte */
    size_t next;   /* index in `held` of the first byte after the current object */
    uint64_t line; /* line of the current object's first byte, from 1 */
    uint64_t lines_passed;
};

/* Opens the file; the path "-" means standard input. Returns false with errno. Call
 * json_stream_close only after true. */
bool json_stream_open(struct json_stream *stream, const char *path) MUST_CHECK;

/* Returns the next object as *text and *len bytes, borrowed until the next call. After any result
 * but JSON_STREAM_OK nothing more can be read. */
enum json_stream_result json_stream_read_next(struct json_stream *stream, const char **text,
                                              size_t *len) MUST_CHECK;

void json_stream_close(struct json_stream *stream);
