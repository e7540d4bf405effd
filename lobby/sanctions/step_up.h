#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Step-up: a person confirms their identity again by password or authenticator code, over ssh only;
 * an auth worker checks it. Sessions are not trusted to say who signed in by key, so staff actions,
 * and others that would let a forged session persist, need this first. A confirmation is valid on
 * its own connection for staff_step_up_s and is kept in the core's memory only: a restarted core
 * asks again. Wrong tries make the account wait 1, 2, 4 … seconds. These waits are separate from
 * those of sign-in, so that strangers who guess there cannot stop a moderator from acting.
 */

/* Messages that confirm need `secret`: something to confirm with, which is asked for on this
 * connection. */

/* True when this connection has confirmed lately; else the request is answered `telnet`, `guest`,
 * `no_secret` (nothing to confirm with) or `step_up`. */
bool step_up_holds(const struct request *request) MUST_CHECK;

/* The same, but also true while the account has no secret to confirm with, so that it can add its
 * first. Messages that always ask for it need `step_up`. */
bool step_up_holds_or_none(const struct request *request) MUST_CHECK;

/* The connection's person has confirmed now that it is them. */
void step_up_confirmed(const struct house *house, struct conn *conn);

/* Drops the person's confirmations on all connections, because their secret has changed. */
void step_up_forget(struct person *person);
