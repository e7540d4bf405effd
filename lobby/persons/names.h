#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a player may be called, and which names look alike. */

#define NAME_MAX_BYTES 16
#define NAME_MIN_BYTES 2
#define NAME_SKELETON_MAX (NAME_MAX_BYTES + 1)

enum name_result {
    NAME_OK = 0,
    NAME_BAD,      /* not ^[a-z][a-z0-9_-]{1,15}$ */
    NAME_RESERVED, /* looks like a name of the house's own */
};

enum name_result name_check(const char *name) MUST_CHECK;

/* Whether only guests have names of this form. */
bool name_is_for_guests(const char *name) MUST_CHECK;

/* Names with the same skeleton look alike and belong to one account: 0 is o, 1 and i are l, rn is
 * m, vv is w, 5 is s. Any string is taken; the skeleton is cut at 16 bytes. */
void name_skeleton(const char *name, char out[NAME_SKELETON_MAX]);

/* Derives a valid name from `wish`: its allowed letters in lower case; empty when too few are left.
 * It may be taken. */
void name_from_wish(const char *wish, char out[NAME_MAX_BYTES + 1]);

/* Appends a number to the name, which is cut to make room: "mira" and 2 give "mira2". */
void name_append_number(const char *name, uint32_t number, char out[NAME_MAX_BYTES + 1]);
