#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Limits on a JSON text, checked before anything is built from it: a reader that builds a tree
 * first has done most of the work before it could refuse. Reads every byte once and stores nothing.
 * Invalid JSON may pass: its reader refuses it.
 */
struct json_bounds {
    size_t bytes;
    size_t values; /* total members of objects and elements of arrays */
    size_t depth;  /* nesting of objects and arrays; 1: no nesting */
    size_t scalar; /* bytes of a number or a word such as `true` */
};

/* True if the text is within all limits. Valid JSON within the limits is never refused. */
bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len) MUST_CHECK;
