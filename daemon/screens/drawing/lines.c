#include "daemon/screens/drawing/draw.h"

#include "games/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lines_init(struct lines *lines, size_t max_bytes)
{
    *lines = (struct lines){.is_cut = false};
    bytes_init(&lines->text, max_bytes);
}

void lines_clear(struct lines *lines)
{
    bytes_clear(&lines->text);
    lines->is_cut = false;
}

void lines_put(struct lines *lines, const char *text)
{
    char line[LINES_LINE_MAX];
    struct text out = text_init(line, sizeof(line) - 1); /* leaves one byte for the newline */
    for (struct styled_char step;
         (step = styled_text_read_char(text)).len > 0 && out.len + step.len < out.cap;
         text += step.len) {
        if (step.character == L'?') {
            text_put_char(&out, '?'); /* styled_text_read_char returns '?' for characters that no
                                         terminal should receive */
        } else if (!step.is_mark) {
            text_put_bytes(&out, text, step.len);
        }
    }
    line[out.len] = '\n';
    if (!bytes_add(&lines->text, line, out.len + 1)) {
        lines->is_cut = true;
    }
}

void lines_format(struct lines *lines, const char *format, ...)
{
    char line[LINES_LINE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof(line), format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    lines_put(lines, line);
}

/* Writes one row of a wrapped line after its indent, then the end of the row. */
static bool write_wrapped_row(const char *text, size_t len, int indent,
                              const struct lines_look *look, struct bytes *out)
{
    struct text shown = TEXT_OF((size_t)2 * LINES_LINE_MAX);
    struct styled_char step;
    text_format(&shown, "%*s", indent, "");
    for (size_t at = 0; at < len && (step = styled_text_read_char(text + at)).len > 0;
         at += step.len) {
        bool is_sign = step.character >= 0x7F && styled_text_symbol_to_ascii(step.character) != 0;
        if (is_sign || (look->is_ascii && step.character >= 0x7F && step.columns > 0)) {
            text_put_char(&shown, (char)styled_text_character_to_ascii(step.character));
        } else if (!look->is_ascii ||
                   step.character < 0x7F) { /* a combining mark is dropped in ASCII mode */
            text_put_bytes(&shown, text + at, step.len);
        }
    }
    text_put(&shown, look->end);
    return bytes_add(out, shown.at, shown.len);
}

static bool write_line(const char *line, const struct lines_look *look, struct bytes *out)
{
    bool is_whole = true;
    int indent = 0;
    do {
        size_t skip = 0;
        size_t len = look->width > 0
                         ? styled_text_count_fitting_bytes(line, look->width - indent, &skip)
                         : strlen(line);
        if (len == 0 && line[0] != '\0') {
            len = strlen(line); /* the row is narrower than one character */
        }
        is_whole = write_wrapped_row(line, len, indent, look, out) && is_whole;
        line += len + skip;
        indent = look->width > LINES_INDENT ? LINES_INDENT : 0;
    } while (line[0] != '\0');
    return is_whole;
}

bool lines_write(const struct lines *lines, const struct lines_look *look, struct bytes *out)
{
    bool is_whole = true;
    for (size_t at = 0; at < lines->text.len;) {
        char line[LINES_LINE_MAX];
        const char *begin = lines->text.at + at;
        const char *end = memchr(begin, '\n', lines->text.len - at);
        size_t len = (size_t)(end - begin); /* lines_put ends every line with a newline */
        memcpy(line, begin, len);
        line[len] = '\0';
        is_whole = write_line(line, look, out) && is_whole;
        at += len + 1;
    }
    return is_whole;
}
