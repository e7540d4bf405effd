#pragma once

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A small JSON object that needs no allocation. Games use it for the `info` of a view and for the
 * events of a history. Fields keep their order. The members of a list or object follow it directly,
 * and its `span` counts them, nested members included. Can be copied by assignment.
 */

/* These limits are what the games need. The largest object is the `info` of Heckin' Hounds with
 * seven players (heckin_hounds_view.c). Screens and bots hold many views, so spare room would cost
 * memory. */
#define FIELDS_MAX 200
#define FIELD_KEY_MAX 20
#define FIELD_TEXT_MAX 24
#define FIELDS_DEPTH_MAX 8 /* greatest depth of nested lists and objects */

enum field_type {
    FIELD_NULL,
    FIELD_BOOL,
    FIELD_NUMBER,
    FIELD_TEXT,
    FIELD_LIST,
    FIELD_OBJECT,
};

struct field {
    char key[FIELD_KEY_MAX]; /* empty inside a list */
    uint8_t type;            /* enum field_type */
    uint16_t span;           /* for a list or object: how many of the next fields belong to it */
    int32_t number;          /* the value of a FIELD_NUMBER; 0 or 1 for a FIELD_BOOL */
    char text[FIELD_TEXT_MAX];
};

struct fields {
    uint16_t count;
    uint8_t depth; /* number of lists and objects not yet closed */
    bool is_cut;   /* a field did not fit and was left out; the object is well formed */
    struct field at[FIELDS_MAX];
};

/* Empties the object. Writes only the count, because nothing reads at[] beyond the count. */
void fields_clear(struct fields *fields);

/* Each function appends one field. key is NULL inside a list. A key or text that is too long sets
 * is_cut. */
void fields_add_null(struct fields *fields, const char *key);
void fields_add_bool(struct fields *fields, const char *key, bool is_true);
void fields_add_number(struct fields *fields, const char *key, int32_t number);
void fields_add_text(struct fields *fields, const char *key, const char *text);

/* Opens a list or object. Pass the returned handle to fields_close after the last member. */
uint16_t fields_open_list(struct fields *fields, const char *key);
uint16_t fields_open_object(struct fields *fields, const char *key);
void fields_close(struct fields *fields, uint16_t handle);

/* The top-level field with that key; NULL when absent. The caller borrows it from `fields`. */
const struct field *fields_find(const struct fields *fields, const char *key);

/* The number with that key; `fallback` when it is absent or not a number. */
int32_t fields_find_number(const struct fields *fields, const char *key, int32_t fallback);

/* field_first_member is the first member of a list or object, NULL when empty. field_next_member is
 * the member after `member`, NULL after the last. `parent` is the list or object. */
const struct field *field_first_member(const struct field *parent);
const struct field *field_next_member(const struct field *parent, const struct field *member);

/* Writes the field's value as JSON, with its members but without its key. */
void field_write(const struct field *field, struct text *out);

/* Writes the object as JSON, with its braces. */
void fields_write(const struct fields *fields, struct text *out);
