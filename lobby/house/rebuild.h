#pragma once

#include "lobby/house/house_state.h"

/* Loads everything from the storage into an empty house. Returns false when the storage cannot be
 * read. */
bool rebuild_load_house(struct house *house) MUST_CHECK;

/* Forgets everything that rebuild_load_house has loaded or derived, and the messages of this pass
 * of the core's loop. Connections stay, and so do the messages of earlier passes, which may wait
 * until their turn is durable. */
void rebuild_clear_house(struct house *house);

/* Clears and loads the house. The connections stay, but nobody is signed in on them yet. */
bool rebuild_house_without_conns(struct house *house) MUST_CHECK;

/* Called after rebuild_house_without_conns. Signs each connection in again with its stored state,
 * as a restarted core does, and sends `resync` to it. */
bool rebuild_restore_conns(struct house *house) MUST_CHECK;

/* Clears and loads the house, and restores the connections. */
bool rebuild_house(struct house *house) MUST_CHECK;
