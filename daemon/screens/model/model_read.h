#pragma once

#include "daemon/screens/model/model.h"

/* Reads values of messages and makes them safe to draw. */

/* Copies a JSON string without control characters, truncated between characters to `cap` - 1 bytes.
 * "" if the value is not a string. */
void model_read_text(const json_t *value, char *out, size_t cap);

/* Copies a sentence of the core, translated to the chosen language (core_text.h), and truncates it
 * like model_read_text. */
void model_read_sentence(const json_t *message, const char *key, char *out, size_t cap);

/* Returns the value as a number; `fallback` if the value is not a number. */
int64_t model_read_number(const json_t *value, int64_t fallback);

/* Copies the string at a key of the object, as model_read_text does. */
void model_get_text(const json_t *object, const char *key, char *out, size_t cap);

/* Returns the number at a key of the object, clamped to min…max; `min` if the value is not a
 * number. */
int64_t model_get_number(const json_t *object, const char *key, int64_t min, int64_t max);
bool model_get_flag(const json_t *object, const char *key);
