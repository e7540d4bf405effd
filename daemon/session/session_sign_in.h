#pragma once

#include "daemon/session/session_state.h"

/* A session before anybody has signed in. */

/* Turns until the door is open, and tells the gate. False when the session has to end. The core's
 * socket is read only by the door: what is pushed meanwhile waits for the screen. */
bool session_sign_in(struct session *session) MUST_CHECK;
