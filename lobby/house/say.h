#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The core makes every sentence here, as `say` (lobby/protocol/protocol.h): a list of a format and
 * its arguments. Messages contain this list, from which sessions make the sentence in their
 * language, and the English text, for programs. Functions that send a sentence accept no other
 * form, and take over its reference.
 *
 * Formats are those of printf(3), so that the compiler checks the arguments and msgfmt checks the
 * translations. Supported are the conversions s, d, i, u and f, the lengths l, ll, z and j, and a
 * precision in digits; %% has no argument. The argument of %p is a JSON value, which is taken over:
 * a time (say_until_argument, say_time_argument, say_date_argument), a duration
 * (say_duration_argument), a word (say_word_argument), words (say_words_argument) or a sentence
 * (say_sentence_argument). If it is NULL, nothing is written.
 */

json_t *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *say_with_args(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Makes a sentence with a form for one and a form for many. The first number among the arguments
 * chooses the form. */
json_t *say_plural(const char *one, const char *many, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));

/* These functions make arguments for %p. Times are in Unix ms; INT64_MAX is written as "for good".
 * Durations are in ms; a negative one is written as "for good". */
void *say_until_argument(int64_t unix_ms); /* such as "until 2026-11-20 06:26 UTC" or "for good" */
void *say_time_argument(int64_t unix_ms);  /* such as "2026-11-20 06:26 UTC" */
void *say_date_argument(int64_t unix_ms);  /* "2026-11-20" */
void *say_duration_argument(int64_t ms);   /* such as "7 days" */
/* a list of words, written with commas between them; the list is taken over */
void *say_words_argument(json_t *words);
void *say_sentence_argument(json_t *sentence);
void *say_word_argument(const char *word); /* a word that is translated if it is in the catalogues,
                                           such as a game's title */

/* Writes the sentence's English text to `out`, truncated to fit. "…" stands for what is nested
 * deeper than SENTENCE_DEPTH_MAX. */
#define SAY_TEXT_SIZE 1601
void say_write_english(json_t *sentence, char *out, size_t size);

/* Makes a JSON string of the sentence's English text and releases the sentence. Only for texts that
 * no session shows. */
json_t *say_make_english_string(json_t *sentence);

/* Sets the message's field `key` to the sentence's English text. If the sentence has arguments,
 * also sets the field `say` to the sentence. */
void say_set_field(json_t *message, const char *key, json_t *sentence);

/* Converts a sentence for the storage: to JSON, or to its English text if it has no arguments or
 * the JSON does not fit. say_parse_stored_sentence makes a sentence of either form; the caller owns
 * that sentence, which is never NULL. */
void say_write_stored_sentence(json_t *sentence, char *out, size_t size);
json_t *say_parse_stored_sentence(const char *stored);

/* Returns the sentence, borrowed. Returns NULL if it has no arguments: its text alone is enough
 * then. */
json_t *say_sentence_if_has_arguments(json_t *sentence);

/*
 * Every text from people passes this function on its way in. Its rules, from the security notes:
 * The text is valid UTF-8 in NFC. Control, format, surrogate, private-use and unassigned
 * characters, line and paragraph separators, and Unicode's Default_Ignorable_Code_Points are
 * removed. At most two combining marks, or other characters without a column, follow a base
 * character. It has at most 400 bytes and 200 columns. Blanks of any kind, line ends and characters
 * that look like blanks are removed at both ends; between words a run of them becomes one space,
 * because with many of them a text could go on at the left margin of the next line and look like a
 * line of the house. Cleaning a clean text changes nothing.
 */

#define TEXT_CLEAN_BYTES_MAX 400
#define TEXT_CLEAN_COLUMNS_MAX 200

enum text_clean_result {
    TEXT_CLEAN_OK = 0,
    TEXT_CLEAN_EMPTY,    /* the text has no visible character */
    TEXT_CLEAN_TOO_LONG, /* the text is too long; text_clean truncates nothing */
    TEXT_CLEAN_BAD,      /* the bytes are not UTF-8 */
};

/* Writes the cleaned text to `out`, ended by NUL. */
enum text_clean_result text_clean(const char *raw, char out[TEXT_CLEAN_BYTES_MAX + 1]) MUST_CHECK;

/* Copies a text that may have been cut inside a character. Leaves out incomplete characters and
 * those that do not fit into `size` bytes. */
void text_clean_copy_whole_characters(const char *text, char *out, size_t size);

/* Makes a JSON string of a text that may have been cut inside a character. Leaves out incomplete
 * characters, since JSON requires valid UTF-8. The caller owns the result. */
json_t *text_clean_to_json(const char *text);

/* Returns the width of a clean text in columns. */
size_t text_clean_count_columns(const char *clean);
