#pragma once

#include "tests/e2e/house.h"
#include "tests/e2e/terminal.h"

/* People who connect through the real ssh with their own key (house_make_key). */

/* Connects as `name`. The first call for a name creates an account and goes to the lobby. Later
 * calls lead to the lobby, or to the table where a seat is kept for the person. */
struct terminal *people_connect(const struct house_fixture *house, const char *name, int columns,
                                int rows);

/* Sets the person's first password; starts and ends in the lobby. */
void people_choose_password(struct terminal *person, const char *password);
