#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

/* Prints the people and tables of the house as lines, for plain mode and for queries. */

/* Prints the number of people, and one line for each: name, rating, and where the person is. */
void house_print_people(const struct model *model, struct lines *lines);

/* Prints one line per table: number, game, seats, clock, state. */
void house_print_tables(const struct model *model, struct lines *lines);
