#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

/* Returns true if the character may be drawn. The core has cleaned the text already; checking again
 * keeps out the characters with which our screens mark styles. */
static bool is_drawable(utf8proc_int32_t code)
{
    const unsigned hidden = 1u << UTF8PROC_CATEGORY_CC | 1u << UTF8PROC_CATEGORY_CF |
                            1u << UTF8PROC_CATEGORY_CS | 1u << UTF8PROC_CATEGORY_CO |
                            1u << UTF8PROC_CATEGORY_CN | 1u << UTF8PROC_CATEGORY_ZL |
                            1u << UTF8PROC_CATEGORY_ZP;
    return (hidden >> utf8proc_category(code) & 1) == 0;
}

void drawable_copy_text(const json_t *value, char *out, size_t cap)
{
    size_t len = 0;
    const char *text = json_string_value(value);
    utf8proc_int32_t code;
    utf8proc_ssize_t step;
    for (; text != NULL && *text != '\0'; text += step > 0 ? step : 1) {
        step = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        if (step <= 0 || !is_drawable(code)) {
            continue;
        }
        if (len + (size_t)step >= cap) {
            break;
        }
        memcpy(out + len, text, (size_t)step);
        len += (size_t)step;
    }
    out[len] = '\0';
}
