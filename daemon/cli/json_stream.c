#include "daemon/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 65536

bool json_stream_open(struct json_stream *stream, const char *path)
{
    *stream = (struct json_stream){.fd = STDIN_FILENO};
    if (strcmp(path, "-") != 0) {
        stream->fd = open(path, O_RDONLY | O_CLOEXEC);
        stream->is_fd_ours = true;
    }
    /* Each read drops the bytes before the current object, to make room for further bytes. */
    bytes_init(&stream->held, JSON_STREAM_OBJECT_MAX + READ_BYTES);
    return stream->fd >= 0;
}

void json_stream_close(struct json_stream *stream)
{
    if (stream->is_fd_ours) {
        close(stream->fd);
    }
    bytes_clear(&stream->held);
}

static enum json_stream_result read_next_bytes(struct json_stream *stream)
{
    bytes_drop_first(&stream->held, stream->start);
    stream->next -= stream->start;
    stream->start = 0;
    char buffer[READ_BYTES];
    ssize_t got;
    do {
        got = read(stream->fd, buffer, sizeof(buffer));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return JSON_STREAM_FAILED;
    }
    stream->is_at_end = got == 0;
    return bytes_add(&stream->held, buffer, (size_t)got) ? JSON_STREAM_OK : JSON_STREAM_TOO_LONG;
}

/* Makes sure that there is a byte at stream->next. Returns false if there is none; *result says
 * why. */
static bool ensure_next_byte(struct json_stream *stream, enum json_stream_result *result)
{
    *result = JSON_STREAM_OK;
    while (stream->next == stream->held.len && *result == JSON_STREAM_OK) {
        *result = stream->is_at_end ? JSON_STREAM_END : read_next_bytes(stream);
    }
    return *result == JSON_STREAM_OK;
}

static char take_byte(struct json_stream *stream)
{
    char c = stream->held.at[stream->next++];
    if (c == '\n') {
        stream->lines_passed++;
    }
    return c;
}

static bool is_white_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The reader's position within an object. Brackets inside strings do not count. */
struct nesting {
    size_t depth;
    bool is_in_string;
    bool is_escaped;
};

static bool closes_outermost_object(struct nesting *nesting, char c)
{
    if (nesting->is_in_string) {
        if (nesting->is_escaped) {
            nesting->is_escaped = false;
        } else if (c == '\\') {
            nesting->is_escaped = true;
        } else if (c == '"') {
            nesting->is_in_string = false;
        }
        return false;
    }
    if (c == '"') {
        nesting->is_in_string = true;
    } else if (c == '{' || c == '[') {
        nesting->depth++;
    } else if (c == '}' || c == ']') {
        nesting->depth--;
        return nesting->depth == 0;
    }
    return false;
}

enum json_stream_result json_stream_read_next(struct json_stream *stream, const char **text,
                                              size_t *len)
{
    enum json_stream_result result;
    char c = ' ';
    while (is_white_space(c)) {
        stream->start = stream->next;
        if (!ensure_next_byte(stream, &result)) {
            return result;
        }
        c = take_byte(stream);
    }
    stream->line = stream->lines_passed + 1;
    struct nesting nesting = {0};
    if (c != '{') {
        return JSON_STREAM_NO_OBJECT;
    }
    while (!closes_outermost_object(&nesting, c)) {
        if (!ensure_next_byte(stream, &result)) {
            return result == JSON_STREAM_END ? JSON_STREAM_CUT : result;
        }
        c = take_byte(stream);
    }
    *text = stream->held.at + stream->start;
    *len = stream->next - stream->start;
    return *len <= JSON_STREAM_OBJECT_MAX ? JSON_STREAM_OK : JSON_STREAM_TOO_LONG;
}
