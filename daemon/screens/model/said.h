#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Translates sentences that the core causes. They come as English text and, if they have arguments,
 * also as `say` (lobby/protocol/sentence.h).
 */

/* Translates a message's `say`. Without a valid one, translates the text under `key` as a whole
 * sentence. Writes "" if there is neither. */
void said_translate(const json_t *message, const char *key, char *out, size_t size);

/* Translates the `lines` of an answer: returns an array of texts, which the caller releases. */
json_t *said_translate_lines(const json_t *answer);
