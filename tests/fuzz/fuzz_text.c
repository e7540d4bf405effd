#include "lobby/house/say.h"
#include "tests/fuzz/fuzz.h"

#include <utf8proc.h>

/* Arbitrary bytes are cleaned as text from a person. Accepted text must have all properties that
 * text_clean promises. */

static bool is_combining_mark(const utf8proc_property_t *property)
{
    return property->category == UTF8PROC_CATEGORY_MN ||
           property->category == UTF8PROC_CATEGORY_MC ||
           property->category == UTF8PROC_CATEGORY_ME ||
           property->boundclass == UTF8PROC_BOUNDCLASS_V ||
           property->boundclass == UTF8PROC_BOUNDCLASS_T;
}

static bool is_forbidden_character(const utf8proc_property_t *property)
{
    switch (property->category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return property->ignorable;
    }
}

static void check_characters_and_width(const char *text, size_t len)
{
    int columns = 0, marks = 0;
    bool is_space = false;
    for (size_t at = 0; at < len;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                                 (utf8proc_ssize_t)(len - at), &point);
        fuzz_assert(size > 0);
        const utf8proc_property_t *property = utf8proc_get_property(point);
        is_space = property->category == UTF8PROC_CATEGORY_ZS;
        marks = is_combining_mark(property) ? marks + 1 : 0;
        fuzz_assert(!is_forbidden_character(property) && marks <= 2);
        fuzz_assert(at > 0 || (!is_space && marks == 0));
        columns += utf8proc_charwidth(point);
        at += (size_t)size;
    }
    fuzz_assert(columns <= TEXT_CLEAN_COLUMNS_MAX && !is_space);
}

static void check_is_composed(const char *text)
{
    utf8proc_uint8_t *composed = utf8proc_NFC((const utf8proc_uint8_t *)text);
    fuzz_assert(composed != NULL && strcmp((const char *)composed, text) == 0);
    free(composed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char out[TEXT_CLEAN_BYTES_MAX + 1], again[TEXT_CLEAN_BYTES_MAX + 1];
    char *raw = calloc(1, len + 1);
    fuzz_assert(raw != NULL);
    if (len > 0) {
        memcpy(raw, bytes, len);
    }
    if (text_clean(raw, out) == TEXT_CLEAN_OK) {
        size_t clean_len = strlen(out);
        fuzz_assert(clean_len > 0 && clean_len <= TEXT_CLEAN_BYTES_MAX);
        check_characters_and_width(out, clean_len);
        check_is_composed(out);
        fuzz_assert(text_clean(out, again) == TEXT_CLEAN_OK && strcmp(out, again) == 0);
    }
    free(raw);
    return 0;
}
