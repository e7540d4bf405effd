#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>

/* The rows of leaderboards in lines. */

/* What a profile says of each game, a row each: place, R, games and the rest. Nothing without any.
 */
void query_top_standings(const json_t *games, struct lines *lines);
