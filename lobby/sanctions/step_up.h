#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Step-up: a person confirms their identity again by password or authenticator code, over ssh only.
 * An auth worker checks it. Sessions are not trusted to say who signed in by key, so orders of
 * staff need a confirmation first, and so do changes that would let a forged session persist.
 *
 * A confirmation is valid on its own connection for staff_step_up_s seconds, and as long on
 * connections for queries (`ssh host mod …`) with the same key from the same address, since a
 * script has no terminal for a password. It is kept in the core's memory only: a restarted core
 * asks again. Wrong tries make the account wait 1, 2, 4 … seconds. These waits are separate from
 * those of sign-in, so that strangers who guess there cannot stop a moderator from acting.
 */

/* True when this connection has confirmed lately; otherwise the request is answered `telnet`,
 * `guest`, `no_secret` (the account has neither password nor authenticator) or `step_up`. */
bool step_up_is_confirmed(const struct request *request) MUST_CHECK;

/* Like step_up_is_confirmed, but also true while the account has neither password nor
 * authenticator, so that it can add its first. Messages that always need a confirmation have
 * `step_up` in messages.def. */
bool step_up_is_confirmed_or_no_secret(const struct request *request) MUST_CHECK;

/* Records that the person of this connection has confirmed their identity now. */
void step_up_confirm_conn(struct house *house, struct conn *conn);

/* Drops the confirmations on all of the person's connections, because their password or
 * authenticator has changed. */
void step_up_drop_confirmations(const struct house *house, struct person *person);
