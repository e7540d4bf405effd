#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How much a JSON text may hold, found out before anything is built from it: a reader that builds a
 * tree first has done most of the work by the time it could refuse. It reads every byte once and
 * keeps nothing. Texts that are no JSON may pass: their reader refuses them.
 */
struct json_bounds {
    size_t bytes;
    size_t values; /* members of objects and elements of arrays, in all */
    size_t depth;  /* objects and arrays within each other; 1: no other in it */
    size_t scalar; /* bytes of a number or a word such as `true` */
};

/* True when the text keeps within all of them. Of valid JSON none that does is refused. */
bool json_bounds_hold(const struct json_bounds *bounds, const char *text, size_t len) MUST_CHECK;
