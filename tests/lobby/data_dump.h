#pragma once

#include "tests/lobby/house_driver.h"

/* Returns all rows that a house has stored, one a line, except its answers to requests. The caller
 * frees the text with free(). */
char *data_dump_all_rows(struct driver *driver);

/* Returns true when both dumps are equal; else prints the first different line after `title`. */
bool data_dumps_are_equal(const char *first_dump, const char *second_dump, const char *title);
