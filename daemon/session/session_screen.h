#pragma once

#include "daemon/session/session_state.h"

/* A session with a screen, drawn or in lines. */

/* Makes the screen for who has signed in; false, with `ending` set, when there is no drawing. */
bool session_open_screen(struct session *session) MUST_CHECK;

/* Until the person leaves, or the session has to end. */
void session_serve_screen(struct session *session);
