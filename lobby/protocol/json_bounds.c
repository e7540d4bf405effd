#include "lobby/protocol/protocol.h"

/* What a scan of a JSON text knows about the bytes that it has read so far. */
struct scan {
    size_t values, depth, scalar;
    bool is_text;    /* the scan is inside a string */
    bool is_escaped; /* the last byte, inside a string, was a backslash */
    bool is_empty;   /* the innermost object or list has no member yet */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void scan_string_byte(struct scan *scan, char c)
{
    scan->is_text = c != '"' || scan->is_escaped;
    scan->is_escaped = c == '\\' && !scan->is_escaped;
}

/* Handles a byte outside strings. */
static void scan_byte_outside_strings(struct scan *scan, char c)
{
    bool is_end = c == '}' || c == ']';
    bool is_mark = is_end || c == '{' || c == '[' || c == ',' || c == ':' || c == '"';
    if (is_blank(c)) {
        scan->scalar = 0;
        return;
    }
    scan->values += (scan->is_empty && !is_end) || c == ',';
    scan->is_empty = c == '{' || c == '[';
    scan->depth += scan->is_empty;
    scan->depth -= is_end && scan->depth > 0;
    scan->scalar = is_mark ? 0 : scan->scalar + 1;
    scan->is_text = c == '"';
}

bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len)
{
    struct scan scan = {0};
    bool is_held = len <= bounds->bytes;
    for (size_t i = 0; i < len && is_held; i++) {
        if (scan.is_text) {
            scan_string_byte(&scan, text[i]);
        } else {
            scan_byte_outside_strings(&scan, text[i]);
            is_held = scan.values <= bounds->values && scan.depth <= bounds->depth &&
                      scan.scalar <= bounds->scalar;
        }
    }
    return is_held;
}
