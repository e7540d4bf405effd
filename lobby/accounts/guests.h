#ifndef LOBBY_ACCOUNTS_GUESTS_H
#define LOBBY_ACCOUNTS_GUESTS_H

#include "lobby/house/house_state.h"
#include "storage/accounts/guests.h"

/*
 * Guests: what the house lets them do, kept with the data as registration is (newcomers.h), and who
 * they are. A guest's name is new each time; who is behind it staff find by where they came from.
 */

/* "yes", "play-only" (they are seen and play, and are not heard) or "no"; sets it, false when there
 * is no such state. `by` is who does. */
const char *guests_state(const struct house *house);
bool guests_set(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* True when guests may come in; else the request is answered `closed`. */
bool guests_admit(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* A guest by name: here, or gone for less than a day. False when there is none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;

#endif
