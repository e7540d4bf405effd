#pragma once

#include "daemon/screens/model/model.h"

/* Values of messages, made safe to draw. */

/* Copies a JSON string into an array, made drawable: control characters dropped, cut at a
 * character to fit. Not a string: empty. For answers that a screen reads itself. */
void model_text(const json_t *value, char *out, size_t cap);

/* The same for a sentence of the core's under `key`, worded in the language in force (said.h). */
void model_said(const json_t *message, const char *key, char *out, size_t cap);

/* `value` as a number, fallback when it is none. */
int64_t model_number(const json_t *value, int64_t fallback);

/* The string at a key, made drawable (see model_text). */
void model_key_text(const json_t *object, const char *key, char *out, size_t cap);

/* The number at a key, clamped to min…max; `min` when it is none. */
int64_t model_key_number(const json_t *object, const char *key, int64_t min, int64_t max);
bool model_key_true(const json_t *object, const char *key);

/* A table's row; false when its game is unknown or its number is none. */
bool model_table_read(const json_t *object, struct table_row *table);
