#pragma once

#include "tests/e2e/house.h"
#include "tests/e2e/terminal.h"

/* People who connect with their own key (house_make_key). */

/* Connects through the real ssh. The first time it creates an account; later it goes straight to
 * the lobby, or to the table where a seat is kept. */
struct terminal *people_enter(const struct house_fixture *house, const char *name, int columns,
                              int rows);

/* Sets a first password; starts and ends in the lobby. */
void people_choose_password(struct terminal *person, const char *password);
