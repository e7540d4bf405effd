#pragma once

#include "daemon/session/session_state.h"

/* The last words of a session, and its end. */

/* Leaves the screen, if there is one, and adds why the session ends. */
void session_add_ending(struct session *session);

/* Lets what was said leave, for a moment at most. */
void session_drain(struct session *session);

/* Lets the client close from its side: for a moment at most, after an answer longer. */
void session_await_close(struct session *session);
