#include "lobby/house/say.h"

#include "lobby/house/text_clean.h"

#include <stdint.h>
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

/* Takes the argument of the conversion at `at`, after its %; NULL for an unknown conversion. */
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
    default:
        return NULL;
    }
}

json_t *say_parts(const char *format, va_list args)
{
    va_list copy;
    json_t *say = json_pack("[s]", format);
    va_copy(copy, args);
    const char *at = format;
    while (say != NULL && (at = strchr(at, '%')) != NULL) {
        at++;
        if (*at == '%') {
            at++;
        } else if (json_array_append_new(say, argument_take(&at, &copy)) != 0) {
            json_decref(say);
            say = NULL;
        }
    }
    va_end(copy);
    return say;
}
