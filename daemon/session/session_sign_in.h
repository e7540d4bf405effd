#pragma once

#include "daemon/session/session_state.h"

/* Waits until somebody has signed in, then tells the gate. Returns false if the session must end.
 * Only the sign-in reads the core's socket: pushes wait there for the screen. */
bool session_sign_in(struct session *session) MUST_CHECK;
