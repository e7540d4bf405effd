#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Unicode has several forms of the same text: a letter and its accent are one character or two, by
 * the system on which somebody types them. So passwords are hashed in the composed form (NFC).
 */

/* Writes the composed form of a password. Returns false, and writes "", if there is none (NULL) or
 * it does not fit `size` bytes. */
bool password_compose(const char *typed, char *composed, size_t size) MUST_CHECK;

/* The same for the text of this key. */
bool password_read(const json_t *object, const char *key, char *composed, size_t size) MUST_CHECK;
