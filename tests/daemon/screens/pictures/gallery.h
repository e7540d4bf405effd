#pragma once

#include "tests/daemon/screens/driver.h"

/*
 * Every screen of the house in its main states, one after the other: the same ones in the same
 * order whatever the language. Long names, full hands.
 */

/* Looks at a state; captions tell states apart. */
typedef void gallery_look(void *context, const char *caption, struct driver *driver);

struct gallery {
    struct driver_setup setup; /* size, plain lines; who one is stands in each state */
    gallery_look *look;
    void *context;
};

/* The lobby, its people and all else without a table. */
void gallery_house(const struct gallery *gallery);

/* A table of each game with the fewest and the most players, from waiting to replay. */
void gallery_tables(const struct gallery *gallery);

/* What every command says in the lobby and at a table: alone, with words that are wrong, when the
 * house agrees and when it refuses. */
void gallery_commands(const struct gallery *gallery);
