#pragma once

#include "games/fields.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* Fills *fields from a JSON object, in the object's order. Returns false if `object` is not a JSON
 * object, is too large, or contains a value that struct fields cannot hold, such as a fraction. The
 * object is borrowed. */
bool fields_read(json_t *object, struct fields *fields) MUST_CHECK;
