#ifndef TESTS_E2E_GUESTS_H
#define TESTS_E2E_GUESTS_H

#include "tests/e2e/house.h"

/* Guests who talk in the lobby of a test's own house. */

/* Comes in; returns once the lobby stands there. */
struct terminal *guests_enter(const struct house_fixture *house);

/* Says it in the lobby; returns once both have seen it. */
void guests_say(struct terminal *from, struct terminal *to, const char *words);

#endif
