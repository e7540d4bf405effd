#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Translates sentences that come from the core. They arrive as English text. Sentences with
 * arguments also arrive as a JSON array `say` (lobby/protocol/sentence.h).
 */

/* Writes the sentence of a message in the chosen language: translates `say`, or if `say` is missing
 * or invalid, the whole text under `key`. Writes "" if both are missing. */
void core_text_translate(const json_t *message, const char *key, char *out, size_t size);

/* Translates the `lines` of an answer: returns an array of texts, which the caller releases. */
json_t *core_text_translate_lines(const json_t *answer);
