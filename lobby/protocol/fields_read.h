#pragma once

#include "games/fields.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* Fills *fields from a JSON object, in its order. False when it is no object, holds a value that
 * fields cannot (a fraction), or is too large. The object is borrowed and stays as it is. */
bool fields_read(json_t *object, struct fields *fields) MUST_CHECK;
