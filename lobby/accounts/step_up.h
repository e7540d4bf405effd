#ifndef LOBBY_ACCOUNTS_STEP_UP_H
#define LOBBY_ACCOUNTS_STEP_UP_H

#include "lobby/accounts/auth_jobs.h"
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

/* True when this connection has confirmed lately; else the request is answered `telnet`, `guest`,
 * `no_secret` (nothing to confirm with) or `step_up`. */
bool step_up_holds(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* The same, but also true while the account has nothing to confirm with: what is added then is the
 * first. */
bool step_up_holds_or_none(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* How the judge of a proof (auth_prove) ends: counts the try and answers it; a right one confirms.
 */
void step_up_judged(struct house *house, const struct auth_proof *proof, bool is_right);

/* What somebody confirmed on any connection holds no longer: their secret has changed. */
void step_up_forget(struct person *person);

#endif
