#pragma once

#include "daemon/session/session_state.h"

/* A session with a screen, in full-screen or plain mode. */

/* Creates the screen for the person who signed in. Returns false, with `ending` set, if the
 * terminal cannot be drawn on. */
bool session_open_screen(struct session *session) MUST_CHECK;

/* Runs the screen until the person leaves or the session must end. */
void session_serve_screen(struct session *session);
