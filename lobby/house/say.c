#include "lobby/house/say.h"

#include "lobby/house/text_clean.h"
#include "lobby/house/words.h"
#include "lobby/protocol/sentence.h"

#include <assert.h>
#include <string.h>

/* The length modifier of a conversion. */
enum say_length {
    LENGTH_INT,
    LENGTH_LONG,
    LENGTH_LONG_LONG,
    LENGTH_SIZE,
};

static enum say_length length_read(const char **at)
{
    size_t len = strspn(*at, "lzj");
    const char *begin = *at;
    *at += len;
    if (len == 0) {
        return LENGTH_INT;
    }
    return len == 2 ? LENGTH_LONG_LONG : begin[0] == 'z' ? LENGTH_SIZE : LENGTH_LONG;
}

static json_t *integer_take(enum say_length length, bool is_signed, va_list *args)
{
    switch (length) {
    case LENGTH_LONG:
        return json_integer(va_arg(*args, long));
    case LENGTH_LONG_LONG:
        return json_integer(va_arg(*args, long long));
    case LENGTH_SIZE:
        return json_integer((json_int_t)va_arg(*args, size_t));
    case LENGTH_INT:
        break;
    }
    if (is_signed) {
        return json_integer(va_arg(*args, int));
    }
    return json_integer(va_arg(*args, unsigned));
}

/* Copies a text, cut to the precision. */
static json_t *text_take(const char *text, int precision)
{
    char cut[TEXT_CLEAN_BYTES_MAX + 1];
    size_t len = strnlen(text, precision < 0 ? sizeof cut - 1 : (size_t)precision);
    len = len < sizeof cut ? len : sizeof cut - 1;
    memcpy(cut, text, len);
    cut[len] = '\0';
    return text_clean_json(cut);
}

static json_t *part_take(json_t *part)
{
    return part == NULL ? json_null() : part;
}

/* Reads the argument of the conversion at `at`, after its %; NULL for an unsupported conversion. */
static json_t *argument_take(const char **at, va_list *args)
{
    int precision = -1;
    *at += strspn(*at, "+-0 123456789");
    if (**at == '.') {
        precision = 0;
        for ((*at)++; **at >= '0' && **at <= '9'; (*at)++) {
            precision = precision * 10 + (**at - '0');
        }
    }
    enum say_length length = length_read(at);
    switch (*(*at)++) {
    case 's':
        return text_take(va_arg(*args, const char *), precision);
    case 'd':
    case 'i':
        return integer_take(length, true, args);
    case 'u':
        return integer_take(length, false, args);
    case 'f':
        return json_real(va_arg(*args, double));
    case 'p':
        return part_take(va_arg(*args, void *));
    default:
        return NULL;
    }
}

/* Appends the arguments of the format to the list, which it returns. */
__attribute__((format(printf, 2, 0))) static json_t *
arguments_take(json_t *list, const char *format, va_list args)
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
        json_t *argument = argument_take(&at, &copy);
        assert(argument != NULL); /* a conversion that no session knows */
        (void)json_array_append_new(list, argument);
    }
    va_end(copy);
    return list;
}

json_t *say_args(const char *format, va_list args)
{
    return arguments_take(json_pack("[s]", format), format, args);
}

json_t *say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *sentence = say_args(format, args);
    va_end(args);
    return sentence;
}

json_t *say_plural(const char *one, const char *many, ...)
{
    va_list args;
    va_start(args, many);
    json_t *sentence = arguments_take(json_pack("[[s,s]]", one, many), many, args);
    va_end(args);
    return sentence;
}

static void *time_part(const char *kind, int64_t ms, bool is_for_good)
{
    return json_pack("{s:o}", kind, is_for_good ? json_null() : json_integer(ms));
}

void *say_until(int64_t unix_ms)
{
    return time_part("until", unix_ms, unix_ms == INT64_MAX);
}

void *say_at(int64_t unix_ms)
{
    return time_part("at", unix_ms, unix_ms == INT64_MAX);
}

void *say_day(int64_t unix_ms)
{
    return time_part("day", unix_ms, false);
}

void *say_span(int64_t ms)
{
    return time_part("span", ms, ms < 0);
}

void *say_inner(json_t *sentence)
{
    return sentence;
}

void *say_word(const char *word)
{
    return json_pack("{s:s}", "word", word);
}

void *say_words(json_t *words)
{
    return json_pack("{s:o}", "words", words);
}

void say_text(json_t *sentence, char *out, size_t size)
{
    char cut[SAY_TEXT_SIZE];
    struct text text = text_init(cut, size < sizeof(cut) ? size : sizeof(cut));
    bool is_good = sentence_put(&sentence_english, sentence, &text);
    assert(is_good);
    (void)is_good;
    text_clean_whole(cut, out, size);
}

json_t *say_sent(json_t *sentence)
{
    const char *format = json_string_value(json_array_get(sentence, 0));
    bool is_bare = json_array_size(sentence) == 2 && json_is_string(json_array_get(sentence, 1)) &&
                   format != NULL && strcmp(format, "%s") == 0;
    return json_array_size(sentence) < 2 || is_bare ? NULL : sentence;
}

json_t *say_english(json_t *sentence)
{
    char text[SAY_TEXT_SIZE];
    say_text(sentence, text, sizeof(text));
    json_decref(sentence);
    return json_string(text);
}

void say_store(json_t *sentence, char *out, size_t size)
{
    json_t *sent = say_sent(sentence);
    size_t len = sent == NULL ? size : json_dumpb(sent, out, size, JSON_COMPACT);
    if (len < size) {
        out[len] = '\0';
    } else {
        say_text(sentence, out, size);
    }
}

json_t *say_stored(const char *stored)
{
    char text[SAY_TEXT_SIZE];
    struct text written = text_init(text, sizeof(text));
    json_t *sentence = stored[0] == '[' ? json_loads(stored, 0, NULL) : NULL;
    if (sentence != NULL && sentence_put(&sentence_english, sentence, &written)) {
        return sentence;
    }
    json_decref(sentence);
    return json_pack("[s,s]", "%s", stored);
}

void say_put(json_t *message, const char *key, json_t *sentence)
{
    if (say_sent(sentence) != NULL) {
        (void)json_object_set(message, "say", sentence);
    }
    (void)json_object_set_new(message, key, say_english(sentence));
}
