#pragma once

#include "daemon/screens/model/model.h"

/* Reads values of messages and makes them safe to draw. */

/* Copies a JSON string into an array: removes control characters and truncates it between
 * characters. Empty if it is not a string. For answers that a screen reads itself. */
void model_read_text(const json_t *value, char *out, size_t cap);

/* The same for a sentence of the core under `key`, in the chosen language (said.h). */
void model_read_sentence(const json_t *message, const char *key, char *out, size_t cap);

/* `value` as a number; fallback if it is none. */
int64_t model_read_number(const json_t *value, int64_t fallback);

/* The string at a key, made safe to draw (see model_read_text). */
void model_get_text(const json_t *object, const char *key, char *out, size_t cap);

/* The number at a key, clamped to min…max; `min` if it is none. */
int64_t model_get_number(const json_t *object, const char *key, int64_t min, int64_t max);
bool model_get_flag(const json_t *object, const char *key);

/* Reads a table's row; false if its game is unknown or its number is invalid. */
bool model_read_table(const json_t *object, struct table_row *table);
