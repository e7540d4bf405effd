#include "lobby/protocol/protocol.h"

#include "games/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Marks a sentence with a plural form, which ngettext(3) translates. */
#define NP_(one, many) one, many

#define SECOND_MS INT64_C(1000)
#define SPEC_MAX 16  /* room for a conversion's flags, width and precision, such as "+.1" */
#define REAL_MAX 1e9 /* a decimal number whose absolute value is larger is not written */

static const char *return_english_sentence(const char *sentence)
{
    return sentence;
}

static const char *choose_english_plural_form(const char *one, const char *many,
                                              unsigned long count)
{
    return count == 1 ? one : many;
}

const struct sentence_language sentence_english = {return_english_sentence,
                                                   choose_english_plural_form};

/* One conversion of a format: "%2$s" writes the second argument as text. */
struct spec {
    size_t argument; /* number of the argument, from 1 */
    char form[SPEC_MAX];
    char conversion;
};

/* Reads the conversion after a %. The conversion takes argument number `next_argument`, unless it
 * names the number of another argument. Returns false for an unsupported conversion. */
static bool read_conversion(const char **at, size_t next_argument, struct spec *spec)
{
    const char *begin = *at;
    size_t digits = strspn(begin, "0123456789");
    spec->argument = next_argument;
    if (digits > 0 && begin[digits] == '$') {
        spec->argument = (size_t)strtoul(begin, NULL, 10);
        begin += digits + 1;
    }
    size_t len = strspn(begin, "+-0 123456789.");
    if (len >= sizeof(spec->form)) {
        return false;
    }
    memcpy(spec->form, begin, len);
    spec->form[len] = '\0';
    begin += len + strspn(begin + len, "lzj");
    spec->conversion = *begin;
    *at = begin + 1;
    return *begin != '\0' && strchr("sdiufp", *begin) != NULL && spec->argument > 0;
}

static json_t *make_duration_sentence(int64_t ms)
{
    static const struct {
        const char *one, *many;
        int64_t seconds;
    } units[] = {
        {NP_("%lld day", "%lld days"), 86400},
        {NP_("%lld hour", "%lld hours"), 3600},
        {NP_("%lld minute", "%lld minutes"), 60},
        {NP_("%lld second", "%lld seconds"), 1},
    };
    int64_t seconds = ms / SECOND_MS;
    size_t i = 0;
    /* Chooses the largest unit that divides the duration into at least two whole units: "36 hours",
     * not "1.5 days". */
    while (i + 1 < ARRAY_LEN(units) &&
           (seconds < 2 * units[i].seconds || seconds % units[i].seconds != 0)) {
        i++;
    }
    return json_pack("[[s,s],I]", units[i].one, units[i].many,
                     (json_int_t)(seconds / units[i].seconds));
}

/* Makes a sentence that names a day, or a day and a time of day. Returns NULL for a time that
 * gmtime_r cannot convert. */
static json_t *make_time_sentence(int64_t unix_ms, bool is_day_only)
{
    struct tm utc;
    time_t seconds = (time_t)(unix_ms / SECOND_MS);
    char part[5][16];
    if (gmtime_r(&seconds, &utc) == NULL) {
        return NULL;
    }
    const int numbers[] = {utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                           utc.tm_min};
    for (size_t i = 0; i < ARRAY_LEN(part); i++) {
        (void)snprintf(part[i], sizeof(part[i]), "%02d", numbers[i]);
    }
    if (is_day_only) {
        return json_pack("[s,s,s,s]", N_("%s-%s-%s"), part[0], part[1], part[2]);
    }
    return json_pack("[s,s,s,s,s,s]", N_("%s-%s-%s %s:%s UTC"), part[0], part[1], part[2], part[3],
                     part[4]);
}

/* Makes the sentence of an argument of %p, which the caller releases: a sentence itself, or an
 * object {"until": ms}, {"at": ms}, {"day": ms} or {"span": ms}, where null stands for "for good".
 * Returns NULL for anything else. */
static json_t *make_argument_sentence(json_t *value)
{
    json_t *until = json_object_get(value, "until");
    json_t *at = json_object_get(value, "at");
    json_t *day = json_object_get(value, "day");
    json_t *span = json_object_get(value, "span");
    if (json_is_null(until) || json_is_null(at) || json_is_null(span)) {
        return json_pack("[s]", N_("for good"));
    }
    if (json_is_integer(until)) {
        return json_pack("[s,o]", N_("until %p"),
                         make_time_sentence(json_integer_value(until), false));
    }
    if (json_is_integer(at)) {
        return make_time_sentence(json_integer_value(at), false);
    }
    if (json_is_integer(day)) {
        return make_time_sentence(json_integer_value(day), true);
    }
    if (json_is_integer(span)) {
        return make_duration_sentence(json_integer_value(span));
    }
    return json_is_array(value) ? json_incref(value) : NULL;
}

/* Translates the format of a sentence. If the format has a singular and a plural, the first number
 * among the arguments chooses between them. Returns NULL when `say` contains no format. */
static const char *translate_format(const struct sentence_language *language, const json_t *say)
{
    const json_t *key = json_array_get(say, 0);
    const char *one = json_string_value(json_is_array(key) ? json_array_get(key, 0) : key);
    const char *many = json_string_value(json_array_get(key, 1));
    size_t i = 1;
    /* gettext(3) would translate "" into the header of the catalogue. */
    if (one == NULL || one[0] == '\0') {
        return one;
    }
    if (!json_is_array(key)) {
        return language->one(one);
    }
    while (i < json_array_size(say) && !json_is_integer(json_array_get(say, i))) {
        i++;
    }
    json_int_t count = json_integer_value(json_array_get(say, i));
    return many == NULL ? NULL : language->some(one, many, (unsigned long)count);
}

/* The sentences that are being written: each contains the next one. */
struct writing {
    const struct sentence_language *language;
    struct text *out;
    struct frame {
        json_t *say;    /* the sentence, whose reference is released when it ends */
        const char *at; /* the part of the sentence's format that is not written yet */
        size_t next;    /* number of the sentence's next argument */
    } frames[SENTENCE_DEPTH_MAX];
    size_t depth;
};

/* Begins to write the sentence `say`, whose reference is taken over. Returns false if `say` is not
 * in the form of a sentence. */
static bool begin_sentence(struct writing *writing, json_t *say)
{
    const char *format = say == NULL ? NULL : translate_format(writing->language, say);
    if (format == NULL || writing->depth == SENTENCE_DEPTH_MAX) {
        json_decref(say);
        return false;
    }
    writing->frames[writing->depth++] = (struct frame){say, format, 1};
    return true;
}

static bool write_decimal(const struct spec *spec, double value, struct text *out)
{
    char digits[64];
    const char *dot = strchr(spec->form, '.');
    long places = dot == NULL ? 6 : strtol(dot + 1, NULL, 10);
    if (!(value > -REAL_MAX && value < REAL_MAX) || places > 9) {
        return false;
    }
    (void)snprintf(digits, sizeof(digits), spec->form[0] == '+' ? "%+.*f" : "%.*f", (int)places,
                   value);
    text_put(out, digits);
    return true;
}

/* Writes a word, translated if the catalogue has it. Returns false when `word` is not text. */
static bool write_word(const struct writing *writing, const json_t *word)
{
    if (!json_is_string(word)) {
        return false;
    }
    /* gettext(3) would translate "" into the header of the catalogue. */
    if (json_string_length(word) > 0) {
        text_put(writing->out, writing->language->one(json_string_value(word)));
    }
    return true;
}

/* Writes a list of words with commas between them. Returns false when `words` is not a list. */
static bool write_word_list(const struct writing *writing, const json_t *words)
{
    for (size_t i = 0; i < json_array_size(words); i++) {
        text_put(writing->out, i == 0 ? "" : ", ");
        if (!write_word(writing, json_array_get(words, i))) {
            return false;
        }
    }
    return json_is_array(words);
}

/* Writes an argument in the form that the conversion asks for. If the argument is a sentence,
 * begins to write that sentence. Returns false when the type of the argument does not fit the
 * conversion. */
static bool write_argument(struct writing *writing, const struct spec *spec, json_t *value)
{
    switch (spec->conversion) {
    case 's':
        text_put(writing->out, json_is_string(value) ? json_string_value(value) : "");
        return json_is_string(value);
    case 'p':
        return json_is_null(value) || write_word(writing, json_object_get(value, "word")) ||
               write_word_list(writing, json_object_get(value, "words")) ||
               begin_sentence(writing, make_argument_sentence(value));
    case 'f':
        return json_is_number(value) && write_decimal(spec, json_number_value(value), writing->out);
    default:
        if (spec->form[0] == '+' && json_integer_value(value) >= 0) {
            text_put_char(writing->out, '+');
        }
        text_put_number(writing->out, json_integer_value(value));
        return json_is_integer(value);
    }
}

/* Writes the innermost sentence up to and including its next argument. If there is no argument
 * left, writes the rest of the sentence and ends it. */
static bool write_up_to_next_argument(struct writing *writing)
{
    struct frame *frame = &writing->frames[writing->depth - 1];
    size_t len = strcspn(frame->at, "%");
    struct spec spec;
    text_put_bytes(writing->out, frame->at, len);
    frame->at += len;
    if (frame->at[0] == '\0') {
        json_decref(frame->say);
        writing->depth--;
        return true;
    }
    frame->at++;
    if (frame->at[0] == '%') {
        text_put_char(writing->out, '%');
        frame->at++;
        return true;
    }
    return read_conversion(&frame->at, frame->next++, &spec) &&
           write_argument(writing, &spec, json_array_get(frame->say, spec.argument));
}

bool sentence_write(const struct sentence_language *language, json_t *say, struct text *out)
{
    struct writing writing = {.language = language, .out = out};
    bool is_good = begin_sentence(&writing, json_incref(say));
    while (is_good && writing.depth > 0) {
        is_good = write_up_to_next_argument(&writing);
    }
    while (writing.depth > 0) {
        json_decref(writing.frames[--writing.depth].say);
    }
    return is_good;
}
