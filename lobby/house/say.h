#pragma once

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>

/*
 * Every sentence that the core causes is made here, as `say` (lobby/protocol/sentence.h): a list of
 * its format and its arguments. It is sent so, for sessions to word in their languages, and as
 * English text besides, for programs. What sends sentences takes them in this form alone, and takes
 * over the reference.
 *
 * Formats are of printf(3), so that the compiler checks the arguments and msgfmt the translations.
 * Supported: the conversions s, d, i, u and f, the lengths l, ll, z and j, and a precision in
 * digits; %% takes no argument. %p takes what is not text or number, and takes it over: a point of
 * time (say_until_time, say_time, say_date), a span (say_duration), or a sentence (say_sentence);
 * NULL: nothing.
 */

json_t *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *say_with_args(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* A sentence of two forms: the first number among the arguments decides. */
json_t *say_plural(const char *one, const char *many, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));

/* Arguments of %p. Times are Unix ms, INT64_MAX for good; spans are ms, negative for good. */
void *say_until_time(int64_t unix_ms); /* "until 2026-11-20 06:26 UTC", "for good" */
void *say_time(int64_t unix_ms);       /* "2026-11-20 06:26 UTC" */
void *say_date(int64_t unix_ms);       /* "2026-11-20" */
void *say_duration(int64_t ms);        /* "7 days" */
void *say_list(json_t *words);         /* a list of words, with commas between them; taken over */
void *say_sentence(json_t *sentence);
void *
say_translated(const char *word); /* translated if it is in the catalogues, like a game's title */

/* Writes the English text, cut to fit. */
#define SAY_TEXT_SIZE 1601
void say_write_english(json_t *sentence, char *out, size_t size);

/* The English text alone, for what no session shows; takes over the sentence. */
json_t *say_to_english(json_t *sentence);

/* Sets `key` to the English text and, if the sentence has arguments, `say` to the sentence. */
void say_set(json_t *message, const char *key, json_t *sentence);

/* What to store of the sentence, as JSON; its English text where it has no arguments, or where the
 * JSON does not fit. say_from_stored reads it back, and the texts that were stored before there was
 * JSON: never NULL, for the caller to own. */
void say_to_stored(json_t *sentence, char *out, size_t size);
json_t *say_from_stored(const char *stored);

/* The sentence as it is sent: borrowed, or NULL when its text alone says as much. */
json_t *say_without_text(json_t *sentence);
