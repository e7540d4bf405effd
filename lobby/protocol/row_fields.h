#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes a struct as a JSON object and reads it back, as a list of fields says. The lists come from
 * rows.def; most callers want the typed functions of rows.h.
 *
 * A reader trusts nothing: a value of the wrong type counts as absent, a number out of its range
 * becomes the nearest one inside it, a text loses what cannot be drawn and is cut to fit, and an
 * unknown word becomes the first word of its list.
 */

/* The words of an enum whose values count up from 0. */
struct row_words {
    const char *name;         /* of the enum */
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
    ROW_IS_GAME,   /* const struct game_def *: the message has the game's id */
    ROW_IS_OBJECT, /* json_t *: borrowed, both ways; NULL: none */
    ROW_IS_LIST,   /* the same */
    ROW_IS_PART,   /* what `part` reads and writes */
};

enum row_when {
    ROW_ALWAYS,    /* the field is always there */
    ROW_NULL_IF,   /* it is null where the member is `none` */
    ROW_ABSENT_IF, /* it is left out there */
    ROW_REQUIRED,  /* always there; a row without a good value is refused */
};

/* A field with a form of its own. */
struct row_part {
    const char *form; /* what PROTOCOL.md calls it: "object", "list" */
    /* The caller's to release; NULL: the field is left out. */
    json_t *(*write)(const void *member);
    /* Always fills the member; `value` is NULL where the field is absent. */
    void (*read)(const json_t *value, void *member);
};

struct row_field {
    const char *key;
    uint8_t type; /* enum row_type */
    uint8_t when; /* enum row_when */
    size_t offset, size;
    int64_t min, max; /* ROW_IS_NUMBER, ROW_IS_TENTHS */
    int64_t none;     /* a text is none when it is empty */
    const struct row_words *words;
    const struct row_part *part;
};

struct row_def {
    const char *name;
    const struct row_field *fields;
    size_t count;
    size_t size; /* of the struct */
};

/* The word of a value; the first word when there is no such value. */
const char *row_text(const struct row_words *words, unsigned value);

/* The value of a word, the number of words when there is none such or `text` is NULL. */
size_t row_word_find(const struct row_words *words, const char *text);

/* Copies a text into a member of that size, cut to fit. */
void row_copy(char *member, size_t size, const char *text);

/* Sets the row's keys in the object. */
void row_put(const struct row_def *def, const void *row, json_t *object);

/* Fills all members but those that no message carries, which become 0. False when a required field
 * has no good value; `object` may be NULL. */
bool row_read(const struct row_def *def, const json_t *object, void *row);
