#ifndef LOBBY_ACCOUNTS_GUESTS_H
#define LOBBY_ACCOUNTS_GUESTS_H

#include "lobby/house/house_state.h"
#include "storage/accounts/guests.h"

/*
 * Guests: what the house lets them do, kept with the data as registration is (newcomers.h), and who
 * they are. A guest's name is new each time; who is behind it staff find by where they came from.
 */

/* Takes over what the configuration says, when that is not what it said last; what an admin has set
 * since stays otherwise. */
void guests_begin(struct house *house);

/* "yes", "play-only" (they are seen and play, and are not heard) or "no"; sets it, false when there
 * is no such state. `by` is who does. */
const char *guests_state(const struct house *house);
bool guests_set(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* True when guests may come in; else the request is answered `closed`. */
bool guests_admit(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* Notes that the guest of this connection is here, or was until now. They are forgotten a day after
 * they were here. Does nothing while nothing can be written. */
void guests_note(struct house *house, const struct conn *conn);

/* A guest by name: here, or gone for less than a day. False when there is none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;

#endif
