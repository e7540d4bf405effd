#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

#include <stdint.h>

/* The house in lines, from what the core has pushed alone: for plain mode and for whoever asks
 * without coming in. */

/* How many are in, and one line each: name, rating, where. now_ms: the model's clock. */
void house_tell_people(const struct model *model, int64_t now_ms, struct lines *lines);

/* A line each table: number, game, seats, clock, state. */
void house_tell_tables(const struct model *model, struct lines *lines);
