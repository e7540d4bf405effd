#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rules for players' names, and which names look alike. */

#define NAME_MAX_BYTES 16
#define NAME_MIN_BYTES 2
#define NAME_SKELETON_MAX (NAME_MAX_BYTES + 1)

enum name_result {
    NAME_OK = 0,
    NAME_BAD,      /* the name is not ^[a-z][a-z0-9_-]{1,15}$ */
    NAME_RESERVED, /* the name looks like reserved words, which only the house may have, or like
                      such words with digits around them or with a word such as "the" */
};

enum name_result name_check(const char *name) MUST_CHECK;

/* Returns true if only guests may have names of this form. */
bool name_is_for_guests(const char *name) MUST_CHECK;

/* Names with the same skeleton look alike and belong to one account: - and _ do not count, a digit
 * counts as the letter that it is used for (0 as o, 1 and i as l, 3 as e, 4 as a, 5 as s, 7 as t, 8
 * as b), rn as m, vv as w. Any string is allowed; the skeleton is truncated at 16 bytes. */
void name_write_skeleton(const char *name, char out[NAME_SKELETON_MAX]);

/* Makes a valid name from the allowed characters of `wanted`, in lower case; "" when too few are
 * left. The name may already be taken. */
void name_make_valid(const char *wanted, char out[NAME_MAX_BYTES + 1]);

/* Appends a number to the name, which is shortened if necessary: "mira" and 2 give "mira2". */
void name_append_number(const char *name, uint32_t number, char out[NAME_MAX_BYTES + 1]);
