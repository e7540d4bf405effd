#pragma once

#include "daemon/session/session_state.h"

/* Serves a session that has a screen, in full-screen or plain mode. */

/* Creates the screen for the person who signed in. Returns false, with `ending` set, if no screen
 * can be drawn on the terminal. */
bool session_open_screen(struct session *session) MUST_CHECK;

/* Runs the screen until the person leaves or the session must end. */
void session_serve_screen(struct session *session);
