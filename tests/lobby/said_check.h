#pragma once

#include <jansson.h>

/*
 * What sentences of the core have to be like, in every message that it sends: each English text
 * comes with a `say` that words it, whose sentences stand in the template of the catalogues, or is
 * itself such a sentence.
 */

/* Fails the test when a sentence of the message cannot be worded in another language. */
void said_check_message(const json_t *message);
