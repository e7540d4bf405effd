#include "lobby/text_clean.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define MARKS_MAX 2

static bool text_is_dropped(utf8proc_category_t category)
{
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CS || category == UTF8PROC_CATEGORY_CO ||
           category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

static bool text_is_mark(utf8proc_category_t category)
{
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
           category == UTF8PROC_CATEGORY_MC;
}

/* A tab or a line end between words must not glue them together. */
static bool text_is_blank(utf8proc_int32_t point)
{
    return point == '\t' || point == '\n' || point == '\r';
}

/* Where the filtered text grows. */
struct clean {
    char *out;
    size_t len;
    int columns;
    int marks; /* since the last base */
    bool has_base;
};

static enum text_clean_result clean_add(struct clean *clean, utf8proc_int32_t point)
{
    if (text_is_blank(point)) {
        point = ' ';
    }
    utf8proc_category_t category = utf8proc_category(point);
    if (text_is_dropped(category)) {
        return TEXT_CLEAN_OK;
    }
    if (text_is_mark(category)) {
        if (!clean->has_base || clean->marks == MARKS_MAX) {
            return TEXT_CLEAN_OK;
        }
        clean->marks++;
    } else {
        clean->marks = 0;
        clean->has_base = true;
        if (category == UTF8PROC_CATEGORY_ZS && clean->len == 0) {
            return TEXT_CLEAN_OK;
        }
    }
    utf8proc_uint8_t bytes[4];
    size_t size = (size_t)utf8proc_encode_char(point, bytes);
    clean->columns += utf8proc_charwidth(point);
    if (clean->len + size > TEXT_CLEAN_BYTES_MAX || clean->columns > TEXT_CLEAN_COLUMNS_MAX) {
        return TEXT_CLEAN_TOO_LONG;
    }
    memcpy(clean->out + clean->len, bytes, size);
    clean->len += size;
    return TEXT_CLEAN_OK;
}

enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1])
{
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t len = utf8proc_map((const utf8proc_uint8_t *)raw, 0, &composed,
                                        UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (len < 0) {
        return TEXT_CLEAN_BAD;
    }
    struct clean clean = {.out = out};
    enum text_clean_result result = TEXT_CLEAN_OK;
    for (utf8proc_ssize_t at = 0; at < len && result == TEXT_CLEAN_OK;) {
        utf8proc_int32_t point = -1;
        at += utf8proc_iterate(composed + at, len - at, &point);
        result = clean_add(&clean, point);
    }
    free(composed);
    while (clean.len > 0 && out[clean.len - 1] == ' ') {
        clean.len--;
    }
    out[clean.len] = '\0';
    if (result != TEXT_CLEAN_OK) {
        return result;
    }
    return clean.len == 0 ? TEXT_CLEAN_EMPTY : TEXT_CLEAN_OK;
}
