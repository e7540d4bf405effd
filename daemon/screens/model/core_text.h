#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Translates sentences that come from the core. They arrive as English text and, if they have
 * arguments, also as `say` (lobby/protocol/sentence.h).
 */

/* Translates a message's `say`. If `say` is missing or invalid, translates the text under `key` as
 * a whole sentence. Writes "" if both are missing. */
void core_text_translate(const json_t *message, const char *key, char *out, size_t size);

/* Translates the `lines` of an answer: returns an array of texts, which the caller releases. */
json_t *core_text_translate_lines(const json_t *answer);
