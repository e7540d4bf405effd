#ifndef LOBBY_SANCTIONS_BARRING_H
#define LOBBY_SANCTIONS_BARRING_H

#include "lobby/house/house_state.h"

/* What the gate is told of bans of addresses, so that it need not let everybody up to the door. */

/* Such a ban has begun or ended, what is allowed has changed, or the gate knows nothing yet. */
void barring_changed(struct house *house);

/* Tells the gate, if anything has changed. */
void barring_flush(struct house *house);

#endif
