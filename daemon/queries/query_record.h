#pragma once

#include "games/macros.h"

#include <jansson.h>

/* Makes a game's history (HISTORY.md) of the protocol's `record`. The caller releases it. Returns
 * NULL if this program does not have the rules of the game. */
json_t *query_record_to_history(json_t *record_json) MUST_CHECK;
