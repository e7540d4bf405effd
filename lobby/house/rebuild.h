#ifndef LOBBY_HOUSE_REBUILD_H
#define LOBBY_HOUSE_REBUILD_H

#include "lobby/house/house_state.h"

/* Reads everything from the storage into an empty house. False when it cannot be read. */
bool rebuild_load(struct house *house) MUST_CHECK;

/* Forgets all that rebuild_load read and what came of it, connections excepted, and what was to be
 * told. */
void rebuild_clear(struct house *house);

/* Both, around the connections that there are, none of which is anybody yet. */
bool rebuild_without_conns(struct house *house) MUST_CHECK;

/* After that: as when a core begins anew, connections stand where the storage knows them, and hear
 * `resync`. */
bool rebuild_conns(struct house *house) MUST_CHECK;

/* First the one, then the other. */
bool rebuild(struct house *house) MUST_CHECK;

#endif
