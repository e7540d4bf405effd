#pragma once

#include "games/fields.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* Fills *fields from a JSON object, in its order. False if it is not an object, contains a value
 * that fields cannot hold (a fraction), or is too large. The object is borrowed and unchanged. */
bool fields_read(json_t *object, struct fields *fields) MUST_CHECK;
