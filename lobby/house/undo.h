#ifndef LOBBY_HOUSE_UNDO_H
#define LOBBY_HOUSE_UNDO_H

#include "lobby/house/house_state.h"

#define UNDO_TRIES_MAX 16 /* a turn that has met more faults ends the core */

/* Undoes the turn that has met a fault (fault.h), builds the house anew, and has what the house was
 * doing pay for it. False when the house cannot be built anew. */
bool undo_turn(struct house *house) MUST_CHECK;

#endif
