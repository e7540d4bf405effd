#pragma once

#include <jansson.h>
#include <stddef.h>

/*
 * Words sentences from the core in the chosen language. The core sends an English text and, if it
 * has arguments, also a `say` (lobby/house/say.h).
 */

/* Words the message's `say`. Without one, or if the catalogue lacks its sentence or its arguments
 * do not match, translates the text under `key` as a whole sentence. Empty if there is neither. */
void said_text(const json_t *message, const char *key, char *out, size_t size);
