#ifndef TESTS_E2E_PEOPLE_H
#define TESTS_E2E_PEOPLE_H

#include "tests/e2e/house.h"
#include "tests/e2e/terminal.h"

/* People who come in with a key of their own (house_make_key). */

/* In through the real ssh: the first time with a new account, then straight to the lobby, or to
 * where a seat waits. */
struct terminal *people_enter(const struct house_fixture *house, const char *name, int columns,
                              int rows);

/* Chooses a first password, from the lobby and back there. */
void people_choose_password(struct terminal *person, const char *password);

#endif
