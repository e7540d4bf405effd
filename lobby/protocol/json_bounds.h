#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Limits on a JSON text, which are checked before a tree is built from it: otherwise most of the
 * work would be done before the text is refused. The check reads every byte once and stores
 * nothing. Invalid JSON may pass the check; the parser refuses it later.
 */
struct json_bounds {
    size_t bytes;
    size_t values; /* how many members of objects and elements of lists are allowed, counted
                      together */
    size_t depth;  /* how deep objects and lists may be nested; 1: not at all */
    size_t scalar; /* how many bytes a number, or a word such as `true`, may have */
};

/* Returns true if the text is within all limits. */
bool json_bounds_allow(const struct json_bounds *bounds, const char *text, size_t len) MUST_CHECK;
