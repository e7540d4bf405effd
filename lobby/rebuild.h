#ifndef LOBBY_REBUILD_H
#define LOBBY_REBUILD_H

#include "lobby/house_state.h"

/* Reads everything from the storage into an empty house. False when it cannot be read. */
bool rebuild_load(struct house *house) MUST_CHECK;

/* Forgets all that rebuild_load read and what came of it, connections excepted, and what was to be
 * told. */
void rebuild_clear(struct house *house);

/* Both, around the connections that there are: as when a core begins anew, they stand where the
 * storage knows them, and hear `resync`. */
bool rebuild(struct house *house) MUST_CHECK;

#endif
