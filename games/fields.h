#ifndef GAMES_FIELDS_H
#define GAMES_FIELDS_H

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A small JSON object without allocation: what a game adds to a view (`info`) and the events of a
 * history. Fields stand in order; a list or object is followed by its members, `span` counting
 * all of them, nested ones included. Copied by assignment.
 */

#define FIELDS_MAX 384
#define FIELD_KEY_MAX 20
#define FIELD_TEXT_MAX 32
#define FIELDS_DEPTH_MAX 8 /* lists and objects within each other */

enum field_type {
    FIELD_NULL,
    FIELD_BOOL,
    FIELD_NUMBER,
    FIELD_TEXT,
    FIELD_LIST,
    FIELD_OBJECT,
};

struct field {
    char key[FIELD_KEY_MAX]; /* empty for a list's members */
    uint8_t type;            /* enum field_type */
    uint16_t span;           /* list, object: how many fields below belong to it */
    int32_t number;          /* FIELD_NUMBER; FIELD_BOOL 0 or 1 */
    char text[FIELD_TEXT_MAX];
};

struct fields {
    uint16_t count;
    uint8_t depth; /* lists and objects still open */
    bool is_cut;   /* something did not fit; what is there stays well formed */
    struct field at[FIELDS_MAX];
};

/* Makes fields empty. Only the count is written: at[] beyond it is never read. */
void fields_clear(struct fields *fields);

/* Each appends one field; key is NULL inside a list. Keys and texts longer than fits set is_cut. */
void fields_null(struct fields *fields, const char *key);
void fields_bool(struct fields *fields, const char *key, bool is_true);
void fields_number(struct fields *fields, const char *key, int32_t number);
void fields_text(struct fields *fields, const char *key, const char *text);

/* Opens a list or object; the handle goes to fields_close once its members are appended. */
uint16_t fields_list(struct fields *fields, const char *key);
uint16_t fields_object(struct fields *fields, const char *key);
void fields_close(struct fields *fields, uint16_t handle);

/* The top-level field of that key, NULL when absent. Borrowed from fields. */
const struct field *fields_find(const struct fields *fields, const char *key);

/* The number of that key, fallback when absent or no number. */
int32_t fields_number_or(const struct fields *fields, const char *key, int32_t fallback);

/* First member of a list or object, NULL when empty; and the next one beside it. `parent` is the
 * list or object itself. */
const struct field *field_first(const struct field *parent);
const struct field *field_next(const struct field *parent, const struct field *member);

/* Writes the field's value as JSON, its members included, without its key. */
void field_write(const struct field *field, struct text *out);

/* Writes the object as JSON, with its braces. */
void fields_write(const struct fields *fields, struct text *out);

/* The same without the braces, so that a caller can add its own keys; nothing when empty. */
void fields_write_members(const struct fields *fields, struct text *out);

#endif
