#pragma once

#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Sentences that the core causes travel as `say`: a list of the sentence, which is a format as of
 * printf(3) and the key in the catalogues, and of its arguments. PROTOCOL.md describes it under
 * "Requests and answers". The core writes its English text from it, and a session words it in its
 * own language, both by this file.
 */

/* How a language words sentences; both return a text that outlives the call. */
struct sentence_language {
    const char *(*one)(const char *sentence);
    const char *(*some)(const char *one, const char *many, unsigned long count);
};

extern const struct sentence_language sentence_english;

/* Adds the sentence to the text. Trusts nothing in `say`: returns false, with a part of the
 * sentence added, when its arguments do not fit its format. */
bool sentence_write(const struct sentence_language *language, json_t *say, struct text *out);
