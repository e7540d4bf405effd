#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes a struct as a JSON object and reads it back, as a list of fields says. The lists come from
 * rows.def; most callers use the typed functions of rows.h. The reader trusts nothing: a value of a
 * wrong type counts as absent, a number out of range becomes the nearest allowed number, characters
 * that cannot be drawn are removed from a text, a text that is too long is truncated, and an
 * unknown word becomes the first word of its list.
 */

/* The words that messages use for the values of an enum, which count up from 0. */
struct row_words {
    const char *name;         /* the enum's name */
    const char *const *texts; /* the word in messages for each value */
    size_t count;
};

enum row_type {
    ROW_IS_TEXT,   /* an array of `size` chars */
    ROW_IS_WORD,   /* a uint8_t: the number of a word in `words` */
    ROW_IS_NUMBER, /* an integer of 1, 2, 4 or 8 bytes */
    ROW_IS_TIME,   /* an int64_t: Unix time in ms */
    ROW_IS_TENTHS, /* an int32_t: ten times the number in messages */
    ROW_IS_FLAG, /* a bool; or a uint8_t: 0, 1, or a third value `none`, which stands for an absent
                    flag */
    ROW_IS_GAME, /* a const struct game_def *: the message contains the game's id */
    ROW_IS_OBJECT, /* a json_t *, an object: borrowed when written and when read; NULL: none */
    ROW_IS_LIST,   /* a json_t *, a list: borrowed when written and when read; NULL: none */
    ROW_IS_PART,   /* a value that the functions in `part` read and write */
};

enum row_when {
    ROW_ALWAYS,    /* the field is never left out */
    ROW_NULL_IF,   /* the field is null if the member equals `none` (struct row_field) */
    ROW_ABSENT_IF, /* the field is absent if the member equals `none` */
    ROW_REQUIRED,  /* always present; a row without a valid value is refused */
};

/* How a field of a special type is written and read. */
struct row_part {
    const char *form; /* the type in PROTOCOL.md: "object" or "list" */
    /* Makes the field's value, which the caller releases. NULL: the field is left out. */
    json_t *(*write)(const void *member);
    /* Reads the field's value into the member, which is always filled. `value` is NULL if the field
     * is absent. */
    void (*read)(const json_t *value, void *member);
};

struct row_field {
    const char *key;
    uint8_t type; /* one of enum row_type */
    uint8_t when; /* one of enum row_when */
    size_t offset, size;
    int64_t min, max; /* bounds of ROW_IS_NUMBER and ROW_IS_TENTHS */
    int64_t none;     /* the value of the member while the field is null or absent; for a text, the
                         empty text */
    const struct row_words *words;
    const struct row_part *part;
};

struct row_def {
    const char *name;
    const struct row_field *fields;
    size_t count;
    size_t size; /* size of the row's struct in bytes */
};

/* Returns the word of a value; the list's first word if the value is unknown. */
const char *row_word_of_value(const struct row_words *words, unsigned value);

/* Returns the value of a word; the length of the list if the word is unknown or NULL. */
size_t row_value_of_word(const struct row_words *words, const char *text);

/* Copies a text into a member of `size` bytes, truncated to fit. */
void row_copy_text(char *member, size_t size, const char *text);

/* Writes all fields of the row into the JSON object. */
void row_write_fields(const struct row_def *def, const void *row, json_t *object);

/* Fills all members of the row; members that no field describes become 0. Returns false if a
 * required field has no valid value. `object` may be NULL. */
bool row_read(const struct row_def *def, const json_t *object, void *row);
