#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>
#include <stdint.h>

/* Rows of leaderboards as text. */

/* Writes a profile's games, one per row: rank, rating, games and more. now_ms is unix time. Writes
 * nothing if there are none. */
void query_top_write_standings(const json_t *games, int64_t now_ms, struct lines *lines);
