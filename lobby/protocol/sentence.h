#pragma once

#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * The core sends a sentence as `say`: a list of a printf(3) format, which is also the key in the
 * catalogues, followed by the arguments of the format. PROTOCOL.md describes `say` under "Requests
 * and answers". With this file the core writes the English text, and a session writes the sentence
 * in its own language.
 */

#define SENTENCE_DEPTH_MAX 12 /* how deep sentences may be nested */

/* How a language translates sentences: one function for those with a single form, one for those
 * with a plural. The results outlive the call. */
struct sentence_language {
    const char *(*one)(const char *sentence);
    const char *(*some)(const char *one, const char *many, unsigned long count);
};

extern const struct sentence_language sentence_english;

/* Writes a sentence. Trusts nothing in `say`: if the arguments do not fit the format, returns false
 * after it has written a part of the sentence. */
bool sentence_write(const struct sentence_language *language, json_t *say, struct text *out);
