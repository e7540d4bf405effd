#pragma once

#include "tests/lobby/house_driver.h"

/* Everything a house has stored, a line a row, but for its answers to requests; freed with free().
 */
char *data_dump_all(struct driver *driver);

/* True when both are the same; else the first line that differs is said after `title`. */
bool data_is_same(const char *once, const char *twice, const char *title);
