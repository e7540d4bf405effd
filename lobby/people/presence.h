#ifndef LOBBY_PEOPLE_PRESENCE_H
#define LOBBY_PEOPLE_PRESENCE_H

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"

/*
 * Whether somebody who is here is away, or not to be disturbed. Away ends with the first thing they
 * do; not to be disturbed lasts, over days too, until they say otherwise.
 */

/* Takes it from the account's settings: they have come in. */

/* They did something: away ends. */
void presence_stir(struct house *house, struct person *person);

/* How long they have done nothing that they could have done, in ms: 0 for one who sits in a game
 * that goes on and waits for others. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);

#endif
