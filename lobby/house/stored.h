#ifndef LOBBY_HOUSE_STORED_H
#define LOBBY_HOUSE_STORED_H

#include "lobby/house/house_state.h"

/*
 * True after STORAGE_OK. NOT_FOUND and TAKEN are answers the caller deals with; anything else means
 * that this turn cannot be kept, and house_commit acts on it: without room on the disk the house is
 * marked full; what the data refuse is a fault (fault.h); a failing disk or damaged file fails the
 * house.
 */
bool stored(struct house *house, enum storage_result result) MUST_CHECK;

/* The same for what has to succeed: NOT_FOUND and TAKEN are faults, too. */
void stored_or_fail(struct house *house, enum storage_result result);

/* False once this turn cannot be kept: long work need not go on. */
bool stored_goes_on(const struct house *house);

/* Nothing of this turn may be told, and the core is to end. `why` is one sentence for the log; the
 * first one is kept. */
void house_fail(struct house *house, const char *why);

#endif
