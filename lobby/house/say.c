#include "lobby/house/say.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"

#include <assert.h>
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

/* Takes one integer from `args`, for a conversion d, i or u. `modifier` is the conversion's length
 * modifier: "", "l", "ll", "z" or "j". */
static json_t *read_integer_argument(const char *modifier, size_t modifier_len, bool is_signed,
                                     va_list *args)
{
    if (modifier_len == 2) {
        return json_integer(va_arg(*args, long long));
    }
    switch (modifier_len == 0 ? '\0' : *modifier) {
    case 'l':
        return json_integer(va_arg(*args, long));
    case 'z':
        return json_integer((json_int_t)va_arg(*args, size_t));
    case 'j':
        return json_integer(va_arg(*args, intmax_t));
    default:
        return json_integer(is_signed ? va_arg(*args, int) : (json_int_t)va_arg(*args, unsigned));
    }
}

/* Copies the text, but no more bytes than the conversion's precision allows. */
static json_t *read_text_argument(const char *text, int precision)
{
    char cut[TEXT_CLEAN_BYTES_MAX + 1];
    size_t len = strnlen(text, precision < 0 ? sizeof cut - 1 : (size_t)precision);
    len = len < sizeof cut ? len : sizeof cut - 1;
    memcpy(cut, text, len);
    cut[len] = '\0';
    return text_clean_to_json(cut);
}

/* Takes one argument from `args`, for a conversion of printf(3). On entry *at points after the
 * conversion's %, on return after the whole conversion. Returns NULL for an unsupported
 * conversion. */
static json_t *read_argument(const char **at, va_list *args)
{
    int precision = -1;
    *at += strspn(*at, "+-0 123456789");
    if (**at == '.') {
        precision = 0;
        for ((*at)++; **at >= '0' && **at <= '9'; (*at)++) {
            precision = precision * 10 + (**at - '0');
        }
    }
    const char *modifier = *at;
    *at += strspn(*at, "lzj");
    size_t modifier_len = (size_t)(*at - modifier);
    json_t *part = NULL;
    switch (*(*at)++) {
    case 's':
        return read_text_argument(va_arg(*args, const char *), precision);
    case 'd':
    case 'i':
    case 'u':
        return read_integer_argument(modifier, modifier_len, (*at)[-1] != 'u', args);
    case 'f':
        return json_real(va_arg(*args, double));
    case 'p':
        part = va_arg(*args, void *);
        return part == NULL ? json_null() : part;
    default:
        return NULL;
    }
}

/* Takes from `args` all arguments of the format and appends them to the list. Returns the list. */
__attribute__((format(printf, 2, 0))) static json_t *
append_format_arguments(json_t *list, const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    const char *at = format;
    while ((at = strchr(at, '%')) != NULL) {
        at++;
        if (*at == '%') {
            at++;
            continue;
        }
        json_t *argument = read_argument(&at, &copy);
        assert(argument != NULL); /* no session supports this conversion */
        (void)json_array_append_new(list, argument);
    }
    va_end(copy);
    return list;
}

json_t *say_with_args(const char *format, va_list args)
{
    return append_format_arguments(json_pack("[s]", format), format, args);
}

json_t *say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *sentence = say_with_args(format, args);
    va_end(args);
    return sentence;
}

json_t *say_plural(const char *one, const char *many, ...)
{
    va_list args;
    va_start(args, many);
    json_t *sentence = append_format_arguments(json_pack("[[s,s]]", one, many), many, args);
    va_end(args);
    return sentence;
}

static void *make_time_argument(const char *kind, int64_t ms, bool is_for_good)
{
    return json_pack("{s:o}", kind, is_for_good ? json_null() : json_integer(ms));
}

void *say_until_argument(int64_t unix_ms)
{
    return make_time_argument("until", unix_ms, unix_ms == INT64_MAX);
}

void *say_time_argument(int64_t unix_ms)
{
    return make_time_argument("at", unix_ms, unix_ms == INT64_MAX);
}

void *say_date_argument(int64_t unix_ms)
{
    return make_time_argument("day", unix_ms, false);
}

void *say_duration_argument(int64_t ms)
{
    return make_time_argument("span", ms, ms < 0);
}

void *say_sentence_argument(json_t *sentence)
{
    return sentence;
}

void *say_word_argument(const char *word)
{
    return json_pack("{s:s}", "word", word);
}

void *say_words_argument(json_t *words)
{
    return json_pack("{s:o}", "words", words);
}

void say_write_english(json_t *sentence, char *out, size_t size)
{
    char cut[SAY_TEXT_SIZE];
    struct text text = text_init(cut, size < sizeof(cut) ? size : sizeof(cut));
    if (!sentence_write(&sentence_english, sentence, &text)) {
        text_put(&text, "…"); /* nested too deep */
    }
    text_clean_copy_whole_characters(cut, out, size);
}

json_t *say_sentence_if_has_arguments(json_t *sentence)
{
    const char *format = json_string_value(json_array_get(sentence, 0));
    bool is_bare = json_array_size(sentence) == 2 && json_is_string(json_array_get(sentence, 1)) &&
                   format != NULL && strcmp(format, "%s") == 0;
    return json_array_size(sentence) < 2 || is_bare ? NULL : sentence;
}

json_t *say_make_english_string(json_t *sentence)
{
    char text[SAY_TEXT_SIZE];
    say_write_english(sentence, text, sizeof(text));
    json_decref(sentence);
    return json_string(text);
}

void say_write_stored_sentence(json_t *sentence, char *out, size_t size)
{
    json_t *sent = say_sentence_if_has_arguments(sentence);
    size_t len = sent == NULL ? size : json_dumpb(sent, out, size, JSON_COMPACT);
    if (len < size) {
        out[len] = '\0';
    } else {
        say_write_english(sentence, out, size);
    }
}

json_t *say_parse_stored_sentence(const char *stored)
{
    char text[SAY_TEXT_SIZE];
    struct text written = text_init(text, sizeof(text));
    json_t *sentence = stored[0] == '[' ? json_loads(stored, 0, NULL) : NULL;
    if (sentence != NULL && sentence_write(&sentence_english, sentence, &written)) {
        return sentence;
    }
    json_decref(sentence);
    return json_pack("[s,s]", "%s", stored);
}

void say_set_field(json_t *message, const char *key, json_t *sentence)
{
    if (say_sentence_if_has_arguments(sentence) != NULL) {
        (void)json_object_set(message, "say", sentence);
    }
    (void)json_object_set_new(message, key, say_make_english_string(sentence));
}

const char *role_name(enum storage_role role)
{
    return row_word_of_value(&person_role_words, role);
}

const char *role_display_name(enum storage_role role)
{
    static const char *const words[] = {N_("player"), N_("mod"), N_("admin")};
    return words[role];
}

enum person_kind person_kind_of_account(enum storage_kind kind)
{
    return kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
}
