#ifndef LOBBY_SANCTIONS_STEP_UP_H
#define LOBBY_SANCTIONS_STEP_UP_H

#include "lobby/house/house_state.h"

/*
 * Confirming who one is once more: by the password or a code of one's authenticator, which an auth
 * worker checks, over ssh only. Sessions are not trusted to tell who signed in by key (SECURITY.md,
 * Trust), so what staff may do, and what else would let a false session stay, needs this first.
 *
 * It holds on the connection it was made on, for staff_step_up_s, in the core's memory alone: a
 * core that begins anew asks again. Wrong tries make the account wait 1, 2, 4 … seconds. Those
 * waits are apart from the door's, so that strangers who guess there keep no moderator from acting.
 */

/* True when there is a way to confirm on this connection; else the request is answered `telnet`,
 * `guest` or `no_secret`. */
bool step_up_can(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* True when this connection has confirmed lately; else the request is answered `telnet`, `guest`,
 * `no_secret` (nothing to confirm with) or `step_up`. */
bool step_up_holds(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* The same, but also true while the account has nothing to confirm with: what is added then is the
 * first. */
bool step_up_holds_or_none(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* What somebody confirmed on any connection holds no longer: their secret has changed. */
void step_up_forget(struct person *person);

#endif
