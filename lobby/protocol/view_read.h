#pragma once

#include "games/macros.h"
#include "games/view.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Reads the "View" of HISTORY.md from a `view` or `think` message into a struct, from which
 * view_write writes the same bytes again.
 */

/* Fills *view. Returns false, with *view unspecified, if the object is not a view of a known
 * game. */
bool view_read(const json_t *object, struct game_view *view) MUST_CHECK;
