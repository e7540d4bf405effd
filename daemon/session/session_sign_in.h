#pragma once

#include "daemon/session/session_state.h"

/* A session before anybody has signed in. */

/* Runs until somebody has signed in, then tells the gate. False if the session must end. Only the
 * sign-in reads the core's socket: pushes wait there for the screen. */
bool session_sign_in(struct session *session) MUST_CHECK;
