#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Sentences that the core causes, in the language in force. They come as English text and, when
 * they have arguments, as `say` besides (lobby/protocol/sentence.h).
 */

/* Words the message's `say`; without one, or when its arguments do not fit it, its text under
 * `key`, which is looked up as a whole sentence. Empty when there is neither. */
void said_translate(const json_t *message, const char *key, char *out, size_t size);

/* The `lines` of an answer, each in the language in force: a list of texts, for the caller to
 * release. */
json_t *said_translate_lines(const json_t *answer);
