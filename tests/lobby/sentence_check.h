#pragma once

#include <jansson.h>

/*
 * Checks that every English sentence sent by the core can be translated. Its text must come with a
 * `say`, whose sentences are in the translation template, or must itself be a sentence of the
 * template.
 */

/* Fails the test when a sentence of the message cannot be translated. */
void sentence_check_message(const json_t *message);
