#pragma once

#include "daemon/screens/model/model.h"

/* Reads values of messages and makes them safe to draw. */

/* Copies a JSON string into an array: removes control characters and truncates it between
 * characters. Empty if it is not a string. For answers that a screen reads itself. */
void model_text(const json_t *value, char *out, size_t cap);

/* The same for a sentence of the core under `key`, in the chosen language (said.h). */
void model_said(const json_t *message, const char *key, char *out, size_t cap);

/* `value` as a number; fallback if it is none. */
int64_t model_number(const json_t *value, int64_t fallback);

/* The string at a key, made safe to draw (see model_text). */
void model_key_text(const json_t *object, const char *key, char *out, size_t cap);

/* The number at a key, clamped to min…max; `min` if it is none. */
int64_t model_key_number(const json_t *object, const char *key, int64_t min, int64_t max);
bool model_key_true(const json_t *object, const char *key);

/* Reads a table's row; false if its game is unknown or its number is invalid. */
bool model_table_read(const json_t *object, struct table_row *table);
