#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

/* Prints the people and tables of the house as lines, for plain mode. */

/* The rows of people and tables that the core's answers to `people` and `tables` contain. */
struct house_lists {
    struct model_people people;
    struct model_tables tables;
    int here; /* number of people in the house, without bots */
};

/* Reads an answer to `people` or `tables`. */
void house_lists_read(struct house_lists *lists, const json_t *answer);
void house_lists_clear(struct house_lists *lists);

/* Prints the number of people, and one line for each that the lists have: name, rating, and where
 * the person is. */
void house_print_people(const struct model *model, const struct house_lists *lists,
                        struct lines *lines);

/* Prints one line per table: number, game, seats, clock, state. */
void house_print_tables(const struct model *model, const struct house_lists *lists,
                        struct lines *lines);

/* Prints how many more people are listed than have been printed, and how to list them; nothing if
 * there are none. */
void house_print_unlisted_people(const struct model_people *people, struct lines *lines);
