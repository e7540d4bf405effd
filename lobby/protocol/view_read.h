#pragma once

#include "games/macros.h"
#include "games/view.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Reads HISTORY.md's "View" from a `view` or `think` message into the struct. Writing the struct
 * with view_write gives the same bytes.
 */

/* Fills *view. False, with *view unspecified, if the object is not a view of a known game. */
bool view_read(const json_t *object, struct game_view *view) MUST_CHECK;
