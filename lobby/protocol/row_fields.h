#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes a struct as a JSON object and reads it back, guided by a list of fields. The lists come
 * from rows.def; most callers use the typed functions of rows.h. A reader trusts nothing: a value
 * of a wrong type counts as absent, a number out of range becomes the nearest one inside it, a text
 * loses what cannot be drawn and is truncated to fit, and an unknown word becomes the first word of
 * its list.
 */

/* The words of an enum whose values count up from 0. */
struct row_words {
    const char *name;         /* the enum's name */
    const char *const *texts; /* by value */
    size_t count;
};

enum row_type {
    ROW_IS_TEXT,   /* char[size] */
    ROW_IS_WORD,   /* uint8_t: a value of `words` */
    ROW_IS_NUMBER, /* an integer of 1, 2, 4 or 8 bytes */
    ROW_IS_TIME,   /* int64_t: Unix time in ms */
    ROW_IS_TENTHS, /* int32_t: tenths of what the message says */
    ROW_IS_FLAG,   /* bool, or uint8_t where `none` is neither 0 nor 1 */
    ROW_IS_GAME,   /* const struct game_def *: the message contains the game's id */
    ROW_IS_OBJECT, /* json_t *: borrowed in both directions; NULL: none */
    ROW_IS_LIST,   /* the same */
    ROW_IS_PART,   /* read and written by `part` */
};

enum row_when {
    ROW_ALWAYS,    /* always present */
    ROW_NULL_IF,   /* null if the member is `none` */
    ROW_ABSENT_IF, /* absent if the member is `none` */
    ROW_REQUIRED,  /* always present; a row without a valid value is refused */
};

/* The functions of a field with a form of its own. */
struct row_part {
    const char *form; /* what PROTOCOL.md calls it: "object", "list" */
    /* The caller releases it; NULL: the field is left out. */
    json_t *(*write)(const void *member);
    /* Always fills the member; `value` is NULL if the field is absent. */
    void (*read)(const json_t *value, void *member);
};

struct row_field {
    const char *key;
    uint8_t type; /* enum row_type */
    uint8_t when; /* enum row_when */
    size_t offset, size;
    int64_t min, max; /* ROW_IS_NUMBER, ROW_IS_TENTHS */
    int64_t none;     /* a text counts as none when it is empty */
    const struct row_words *words;
    const struct row_part *part;
};

struct row_def {
    const char *name;
    const struct row_field *fields;
    size_t count;
    size_t size; /* size of the struct */
};

/* The word of a value; the first word if the value is unknown. */
const char *row_word_text(const struct row_words *words, unsigned value);

/* The value of a word; the number of words if it is unknown or `text` is NULL. */
size_t row_word_find(const struct row_words *words, const char *text);

/* Copies a text into a member of that size, truncated to fit. */
void row_copy_text(char *member, size_t size, const char *text);

/* Sets the row's keys in the object. */
void row_write_fields(const struct row_def *def, const void *row, json_t *object);

/* Fills all members; those that no message contains become 0. False if a required field has no
 * valid value; `object` may be NULL. */
bool row_read(const struct row_def *def, const json_t *object, void *row);
