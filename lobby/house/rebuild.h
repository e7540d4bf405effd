#pragma once

#include "lobby/house/house_state.h"

/* Loads everything from the storage into an empty house. Returns false when it cannot be read. */
bool rebuild_load(struct house *house) MUST_CHECK;

/* Forgets everything that rebuild_load read or that derives from it, and all queued output.
 * Connections stay. */
void rebuild_clear(struct house *house);

/* rebuild_clear and rebuild_load. The connections stay, but none has a person yet. */
bool rebuild_without_conns(struct house *house) MUST_CHECK;

/* Called next: puts each connection back where the storage says it stood, as a restarted core does,
 * and sends it `resync`. */
bool rebuild_restore_conns(struct house *house) MUST_CHECK;

/* rebuild_without_conns, then rebuild_restore_conns. */
bool rebuild(struct house *house) MUST_CHECK;
