#pragma once

#include "games/macros.h"
#include "games/view.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * The way back from HISTORY.md's "View" to the struct: reads the `view` of a `view` or `think`
 * message. view_write of what was read gives the bytes it was read from.
 */

/* Fills *view. False, and *view is unspecified, when the object is no view of a known game. */
bool view_read(const json_t *object, struct game_view *view) MUST_CHECK;
