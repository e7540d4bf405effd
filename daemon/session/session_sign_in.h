#pragma once

#include "daemon/session/session_state.h"

/* Waits until somebody has signed in, then tells the gate. Returns false if the session must end.
 * Reads no more messages of the core than the sign-in needs, so that pushes stay in the socket
 * until there is a screen. */
bool session_sign_in(struct session *session) MUST_CHECK;
