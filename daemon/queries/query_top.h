#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>

/* Rows of leaderboards as text. */

/* Writes a profile's games, one per row: rank, rating, games and more. Writes nothing if there are
 * none. */
void query_top_standings(const json_t *games, struct lines *lines);
