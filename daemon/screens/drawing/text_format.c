#include "daemon/screens/drawing/draw.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <stdarg.h>
#include <stdio.h>

#define LIST_BYTES 400

__attribute__((format(printf, 2, 0))) static void append_formatted(struct text *out,
                                                                   const char *format, va_list args)
{
    size_t room = out->cap - out->len;
    int len = vsnprintf(out->at + out->len, room, format, args);
    out->is_cut = out->is_cut || len < 0 || (size_t)len >= room;
    out->len += len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}

void text_format(struct text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_formatted(out, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
}

void text_format_list_item(struct text *out, const char *format, ...)
{
    va_list args;
    text_put(out, out->len > 0 ? ", " : "");
    va_start(args, format);
    append_formatted(out, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
}

void text_put_list(struct text *out, const char *const *items, size_t count)
{
    struct text before = TEXT_OF(LIST_BYTES);
    for (size_t i = 0; i + 1 < count; i++) {
        text_format_list_item(&before, "%s", items[i]);
    }
    if (count > 1) {
        text_format(out, _("%s and %s"), before.at, items[count - 1]);
    } else if (count == 1) {
        text_put(out, items[0]);
    }
}
