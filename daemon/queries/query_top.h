#pragma once

#include "daemon/screens/drawing/lines.h"

#include <jansson.h>
#include <stdint.h>

/* Writes rows of leaderboards as text. */

/* Writes a player's standings, one row for each game of the profile, with rank, rating and
 * statistics; nothing if there are none. now_ms is unix time. */
void query_top_write_standings(const json_t *games, int64_t now_ms, struct lines *lines);
