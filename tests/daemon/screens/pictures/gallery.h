#pragma once

#include "tests/daemon/screens/driver.h"

/*
 * Shows every screen of the house in its main states, one after the other, in the same order in
 * every language. Names are long and hands are full.
 */

/* Called for each state of a screen; each state has its own caption. */
typedef void gallery_look(void *context, const char *caption, struct driver *driver);

struct gallery {
    struct driver_setup setup; /* size and mode; each state chooses who is signed in */
    gallery_look *look;
    void *context;
};

/* Shows the lobby, its people and everything that needs no table. */
void gallery_show_house(const struct gallery *gallery);

/* Shows a table of each game with the fewest and the most players, from waiting to replay. */
void gallery_show_tables(const struct gallery *gallery);

/* Shows what every command prints in the lobby and at a table: without arguments, with wrong ones,
 * when the house agrees and when it refuses. */
void gallery_show_commands(const struct gallery *gallery);
