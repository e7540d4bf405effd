#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

#include <stdint.h>

/* The state of the house in lines, from what the core has pushed: for plain mode and for
 * queries. */

/* Prints the number of people, and one line for each: name, rating, place. `now_ms` is by the
 * model's clock. */
void house_print_people(const struct model *model, int64_t now_ms, struct lines *lines);

/* Prints one line per table: number, game, seats, clock, state. */
void house_print_tables(const struct model *model, struct lines *lines);
