#include "lobby/house/say.h"

#include "lobby/house/parts.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define MARKS_MAX 2

/* Returns true for characters that text_clean removes: those of forbidden categories, and those
 * that Unicode calls invisible but some terminals show (fillers, variation selectors). */
static bool is_removed_character(utf8proc_int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CS || category == UTF8PROC_CATEGORY_CO ||
           category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || utf8proc_get_property(point)->ignorable;
}

/* Returns true for characters that need no column of their own: combining marks, and the vowels and
 * finals of old Korean syllables. */
static bool takes_no_column(utf8proc_int32_t point)
{
    const utf8proc_property_t *property = utf8proc_get_property(point);
    return property->category == UTF8PROC_CATEGORY_MN ||
           property->category == UTF8PROC_CATEGORY_ME ||
           property->category == UTF8PROC_CATEGORY_MC ||
           property->boundclass == UTF8PROC_BOUNDCLASS_V ||
           property->boundclass == UTF8PROC_BOUNDCLASS_T;
}

/* Returns true for tabs, line ends, and characters of which one sees nothing but their width: the
 * spaces of all scripts, the braille pattern without dots, and the null notehead. */
static bool is_blank(utf8proc_int32_t point)
{
    return point == '\t' || point == '\n' || point == '\r' || point == 0x2800 || point == 0x1D159 ||
           utf8proc_category(point) == UTF8PROC_CATEGORY_ZS;
}

/* Returns a copy of the text without forbidden characters, which the caller frees. Returns NULL
 * when the bytes are not UTF-8. */
static utf8proc_uint8_t *copy_allowed_characters(const char *raw)
{
    utf8proc_ssize_t len = (utf8proc_ssize_t)strlen(raw);
    utf8proc_uint8_t *allowed = memory_new((size_t)len + 1);
    utf8proc_ssize_t end = 0;
    for (utf8proc_ssize_t at = 0; at < len;) {
        utf8proc_int32_t point = -1;
        utf8proc_ssize_t size =
            utf8proc_iterate((const utf8proc_uint8_t *)raw + at, len - at, &point);
        if (size < 0) {
            free(allowed);
            return NULL;
        }
        at += size;
        if (is_blank(point)) {
            allowed[end++] = ' ';
        } else if (!is_removed_character(point)) {
            end += utf8proc_encode_char(point, allowed + end);
        }
    }
    return allowed;
}

/* The text that text_clean has written so far. */
struct clean {
    char *out;
    size_t len;
    size_t end; /* length in bytes up to the last character that is not a blank */
    int columns;
    int marks; /* how many marks have followed the last base character */
};

static enum text_clean_result append_character(struct clean *clean, utf8proc_int32_t point)
{
    bool is_mark = takes_no_column(point);
    bool is_space = point == ' ';
    if ((clean->len == 0 || clean->end < clean->len) && (is_mark || is_space)) {
        return TEXT_CLEAN_OK; /* after a blank, or first */
    }
    clean->marks = is_mark ? clean->marks + 1 : 0;
    if (clean->marks > MARKS_MAX) {
        return TEXT_CLEAN_OK;
    }
    utf8proc_uint8_t bytes[4];
    size_t size = (size_t)utf8proc_encode_char(point, bytes);
    clean->columns += utf8proc_charwidth(point);
    if (clean->len + size > TEXT_CLEAN_BYTES_MAX || clean->columns > TEXT_CLEAN_COLUMNS_MAX) {
        return TEXT_CLEAN_TOO_LONG;
    }
    memcpy(clean->out + clean->len, bytes, size);
    clean->len += size;
    clean->end = is_space ? clean->end : clean->len;
    return TEXT_CLEAN_OK;
}

/* Removes the forbidden characters and composes the rest. They are removed first, because one of
 * them may have separated a base character from its mark. */
static utf8proc_ssize_t compose_allowed_characters(const char *raw, utf8proc_uint8_t **composed)
{
    utf8proc_uint8_t *allowed = copy_allowed_characters(raw);
    if (allowed == NULL) {
        return -1;
    }
    utf8proc_ssize_t len =
        utf8proc_map(allowed, 0, composed, UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    free(allowed);
    return len;
}

enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1])
{
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t len = compose_allowed_characters(raw, &composed);
    struct clean clean = {.out = out};
    enum text_clean_result result = len < 0 ? TEXT_CLEAN_BAD : TEXT_CLEAN_OK;
    for (utf8proc_ssize_t at = 0; at < len && result == TEXT_CLEAN_OK;) {
        utf8proc_int32_t point = -1;
        at += utf8proc_iterate(composed + at, len - at, &point);
        result = append_character(&clean, point);
    }
    free(composed);
    out[clean.end] = '\0';
    if (result != TEXT_CLEAN_OK) {
        return result;
    }
    return clean.end == 0 ? TEXT_CLEAN_EMPTY : TEXT_CLEAN_OK;
}

size_t text_clean_count_columns(const char *clean)
{
    size_t columns = 0;
    utf8proc_int32_t point = -1;
    for (utf8proc_ssize_t at = 0; clean[at] != '\0';) {
        at += utf8proc_iterate((const utf8proc_uint8_t *)clean + at, -1, &point);
        columns += (size_t)utf8proc_charwidth(point);
    }
    return columns;
}

void text_clean_copy_whole_characters(const char *text, char *out, size_t size)
{
    utf8proc_ssize_t len = (utf8proc_ssize_t)strlen(text);
    size_t end = 0;
    for (utf8proc_ssize_t at = 0; at < len;) {
        utf8proc_int32_t point = -1;
        utf8proc_ssize_t bytes =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at, len - at, &point);
        if (bytes > 0 && end + (size_t)bytes < size) {
            memcpy(out + end, text + at, (size_t)bytes);
            end += (size_t)bytes;
        }
        at += bytes > 0 ? bytes : 1;
    }
    out[end] = '\0';
}

json_t *text_clean_to_json(const char *text)
{
    size_t size = strlen(text) + 1;
    char *whole = memory_new(size);
    text_clean_copy_whole_characters(text, whole, size);
    json_t *string = json_string(whole);
    free(whole);
    return string;
}
