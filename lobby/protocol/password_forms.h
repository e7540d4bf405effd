#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Unicode has several forms of the same text: a letter and its accent are one character or two, by
 * the system on which somebody types them. So passwords are hashed in the composed form (NFC).
 * Older versions hashed what was typed.
 */

#define PASSWORD_FORMS_MAX 3

struct password_forms {
    char *texts[PASSWORD_FORMS_MAX];
    size_t count;
};

/* Lists the forms of a typed password, each once: the composed one, which is hashed; then those
 * that older versions may have hashed, which are the typed one and the decomposed one (NFD). Call
 * password_forms_clear; aborts if memory runs out. */
void password_forms_make(const char *typed, struct password_forms *forms);

/* Erases and frees the texts. */
void password_forms_clear(struct password_forms *forms);

/* Writes the composed form of a new password. Returns false, and writes "", if there is none (NULL)
 * or it does not fit `size` bytes. */
bool password_compose(const char *typed, char *composed, size_t size) MUST_CHECK;

/* Reads a password that is to be checked: as it was typed if that fits `size` bytes, otherwise
 * composed. Returns false, and writes "", if the object has no text of this key or it does not
 * fit. */
bool password_read(const json_t *object, const char *key, char *text, size_t size) MUST_CHECK;
