#include "daemon/base/said.h"

#include "daemon/base/i18n.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEC_MAX 16 /* length of a conversion with its flags, like "%+.1f" */

/* One conversion of a format: "%2$s" inserts the second argument as text. */
struct spec {
    size_t argument;     /* from 1 */
    char form[SPEC_MAX]; /* only flags, width and precision, like "+.1" */
    char conversion;
};

/* Parses the conversion after a %. Without a number of its own it uses argument `next`. False if it
 * is not supported. */
static bool spec_read(const char **at, size_t next, struct spec *spec)
{
    const char *begin = *at;
    size_t digits = strspn(begin, "0123456789");
    spec->argument = next;
    if (digits > 0 && begin[digits] == '$') {
        spec->argument = (size_t)strtoul(begin, NULL, 10);
        begin += digits + 1;
    }
    size_t len = strspn(begin, "+-0 123456789.");
    if (len >= sizeof spec->form) {
        return false;
    }
    memcpy(spec->form, begin, len);
    spec->form[len] = '\0';
    begin += len + strspn(begin + len, "lzj");
    spec->conversion = *begin;
    *at = begin + 1;
    return *begin != '\0' && strchr("sdiuf", *begin) != NULL;
}

/* Adds an argument in the form of its conversion; false if its type differs or there is no room.
 * The format string is built here from digits and signs only. */
static bool spec_put(const struct spec *spec, const json_t *value, char *out, size_t size)
{
    char form[SPEC_MAX + 8];
    int len = -1;
    if (spec->conversion == 's' && json_is_string(value)) {
        /* the core has limited its length */
        len = snprintf(out, size, "%s", json_string_value(value));
    } else if (spec->conversion == 'f' && json_is_number(value)) {
        const char *dot = strchr(spec->form, '.');
        len = snprintf(out, size, spec->form[0] == '+' ? "%+.*f" : "%.*f",
                       dot == NULL ? 6 : (int)strtol(dot + 1, NULL, 10), json_number_value(value));
    } else if (spec->conversion != 's' && json_is_integer(value)) {
        (void)snprintf(form, sizeof form, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        len = snprintf(out, size, "%s%s",
                       spec->form[0] == '+' && json_integer_value(value) >= 0 ? "+" : "", form);
    }
    return len >= 0 && (size_t)len < size;
}

/* False if the arguments do not match the format. */
static bool words_put(const char *format, const json_t *say, char *out, size_t size)
{
    size_t next = 1;
    size_t len = 0;
    for (const char *at = format; *at != '\0';) {
        struct spec spec;
        if (len + 1 >= size) {
            return false;
        }
        if (at[0] != '%' || at[1] == '%') {
            out[len++] = *at;
            at += at[0] == '%' ? 2 : 1;
            continue;
        }
        at++;
        if (!spec_read(&at, next, &spec) || spec.argument == 0 ||
            !spec_put(&spec, json_array_get(say, spec.argument), out + len, size - len)) {
            return false;
        }
        len += strlen(out + len);
        next++;
    }
    out[len] = '\0';
    return true;
}

void said_text(const json_t *message, const char *key, char *out, size_t size)
{
    const json_t *say = json_object_get(message, "say");
    const char *format = json_string_value(json_array_get(say, 0));
    const char *known = format == NULL ? NULL : i18n_text(format);
    if (known != format && words_put(known, say, out, size)) {
        return;
    }
    const char *text = json_string_value(json_object_get(message, key));
    (void)snprintf(out, size, "%s", text == NULL ? "" : i18n_text(text));
}
