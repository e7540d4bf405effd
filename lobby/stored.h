#ifndef LOBBY_STORED_H
#define LOBBY_STORED_H

#include "lobby/house_state.h"

/*
 * True after STORAGE_OK. NOT_FOUND and TAKEN are answers the caller deals with; anything else means
 * that this turn cannot be kept: the house is marked failed, or full, and house_commit acts on it.
 */
bool stored(struct house *house, enum storage_result result) MUST_CHECK;

/* The same for writes that can only fail so. */
void stored_or_fail(struct house *house, enum storage_result result);

#endif
