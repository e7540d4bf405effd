#pragma once

#include "tests/daemon/screens/driver.h"

/*
 * Shows every screen of the house in its main states, one after the other, in the same order in
 * every language. Names are long and hands are full, so that texts without enough room are found.
 */

/* Called for each state of a screen; each state has its own caption. */
typedef void gallery_look(void *context, const char *caption, struct driver *driver);

struct gallery {
    struct driver_setup
        setup; /* terminal size and mode of every session; the gallery chooses who is signed in */
    gallery_look *look;
    void *context;
};

/* Shows the lobby, its people and everything that needs no table. */
void gallery_show_house(const struct gallery *gallery);

/* Shows a table of each game with the fewest and with the most players, from the wait for players
 * to the replay. */
void gallery_show_tables(const struct gallery *gallery);

/* Shows what every command prints in the lobby and at a table: without arguments and with wrong
 * ones, when its request succeeds and when it is refused. */
void gallery_show_commands(const struct gallery *gallery);
